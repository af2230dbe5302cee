/* expects: error OMM302 */
/* The loop runs to the own offset, which an exclusive prefix sum gave. */
#include <mpi.h>
#include <stdio.h>

int main(int argc, char **argv)
{
    int rows = 2, offset = 0;
    int rank, size;
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_size(MPI_COMM_WORLD, &size);

    MPI_Exscan(&rows, &offset, 1, MPI_INT, MPI_SUM, MPI_COMM_WORLD);
    if (rank == 0)
        offset = 0;
    for (int i = 0; i < offset; i++)
        MPI_Barrier(MPI_COMM_WORLD);

    if (rank == 0)
        printf("done with %d ranks\n", size);
    MPI_Finalize();
    return 0;
}
