/* expects: error OMM302 */
/* A prefix sum of ones is a number of its own in each rank. */
#include <mpi.h>
#include <stdio.h>

int main(int argc, char **argv)
{
    int one = 1, before = 0;
    int rank, size;
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_size(MPI_COMM_WORLD, &size);

    MPI_Scan(&one, &before, 1, MPI_INT, MPI_SUM, MPI_COMM_WORLD);
    if (before == 1)
        MPI_Barrier(MPI_COMM_WORLD);

    if (rank == 0)
        printf("done with %d ranks\n", size);
    MPI_Finalize();
    return 0;
}
