/* expects: error OMM302 */
/* Only the second element is broadcast; the condition asks for the first one. */
#include <mpi.h>
#include <stdio.h>

int main(int argc, char **argv)
{
    int rank, size;
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_size(MPI_COMM_WORLD, &size);

    int table[2] = {rank, rank};
    MPI_Bcast(&table[1], 1, MPI_INT, 0, MPI_COMM_WORLD);
    if (table[0])
        MPI_Barrier(MPI_COMM_WORLD);

    printf("%d of %d\n", rank, size);
    MPI_Finalize();
    return 0;
}
