/* expects: error OMM302 */
/* The broadcast runs in each part of a split, so the parts end up with different numbers. */
#include <mpi.h>
#include <stdio.h>

int main(int argc, char **argv)
{
    MPI_Comm part;
    int n;
    int rank, size;
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_size(MPI_COMM_WORLD, &size);

    MPI_Comm_split(MPI_COMM_WORLD, rank % 2, rank, &part);
    n = rank;
    MPI_Bcast(&n, 1, MPI_INT, 0, part);
    if (n == 1)
        MPI_Barrier(MPI_COMM_WORLD);
    MPI_Comm_free(&part);

    if (rank == 0)
        printf("done with %d ranks\n", size);
    MPI_Finalize();
    return 0;
}
