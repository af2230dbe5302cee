/* expects: nothing */
/* An array of structs: one member of one element holds the rank. */
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
    if (part[0].on && part[1].id > 1)
        MPI_Barrier(MPI_COMM_WORLD);

    printf("%d of %d\n", rank, size);
    MPI_Finalize();
    return 0;
}
