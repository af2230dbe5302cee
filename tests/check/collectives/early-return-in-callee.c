/* expects: error OMM302 */
/* The callee returns before the barrier on rank 0 alone. */
#include <mpi.h>
#include <stdio.h>

static void work(int r)
{
    if (r == 0)
        return;
    MPI_Barrier(MPI_COMM_WORLD);
}

int main(int argc, char **argv)
{
    int rank, size;
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_size(MPI_COMM_WORLD, &size);

    work(rank);

    if (rank == 0)
        printf("done with %d ranks\n", size);
    MPI_Finalize();
    return 0;
}
