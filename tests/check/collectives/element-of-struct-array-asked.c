/* expects: error OMM302 */
/* An array of structs: the condition asks for the member that holds the rank. */
#include <mpi.h>
#include <stdio.h>

int main(int argc, char **argv)
{
    int rank, size;
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_size(MPI_COMM_WORLD, &size);

    struct { int id, on; } part[2];
    part[0].id = rank;
    part[0].on = 1;
    part[1].id = size;
    part[1].on = rank > 0;
    if (part[1].on)
        MPI_Barrier(MPI_COMM_WORLD);

    printf("%d of %d\n", rank, size);
    MPI_Finalize();
    return 0;
}
