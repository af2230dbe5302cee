/* expects: nothing */
/* The recursion is as deep as what process 0 has sent to all, with a barrier of each half on every level. */
#include <mpi.h>
#include <stdio.h>

static void down(int left, int rank, MPI_Comm comm)
{
    MPI_Comm half;
    if (left <= 0)
        return;
    MPI_Comm_split(comm, rank % 2, rank, &half);
    MPI_Barrier(half);
    MPI_Comm_free(&half);
    down(left - 1, rank, comm);
}

int main(int argc, char **argv)
{
    int rank, depth;
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    depth = rank + 2;
    MPI_Bcast(&depth, 1, MPI_INT, 0, MPI_COMM_WORLD);
    down(depth, rank, MPI_COMM_WORLD);
    printf("done\n");
    MPI_Finalize();
    return 0;
}
