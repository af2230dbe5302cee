/* expects: error OMM302 */
/* The recursion is as deep as the rank, with a barrier on every level. */
#include <mpi.h>
#include <stdio.h>

static void down(int n)
{
    if (n == 0)
        return;
    MPI_Barrier(MPI_COMM_WORLD);
    down(n - 1);
}

int main(int argc, char **argv)
{
    int rank, size;
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_size(MPI_COMM_WORLD, &size);

    down(rank);

    if (rank == 0)
        printf("done with %d ranks\n", size);
    MPI_Finalize();
    return 0;
}
