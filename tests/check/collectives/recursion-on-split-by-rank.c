/* expects: error OMM302 */
/* The recursion is on a part of the processes, whose first one is left without a barrier. */
#include <mpi.h>
#include <stdio.h>

static void down(int left, MPI_Comm comm)
{
    int rank;
    if (left <= 0)
        return;
    MPI_Comm_rank(comm, &rank);
    if (rank > 0)
        MPI_Barrier(comm);
    down(left - 1, comm);
}

int main(int argc, char **argv)
{
    int rank;
    MPI_Comm all;
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_split(MPI_COMM_WORLD, 0, -rank, &all);
    down(2, all);
    printf("done\n");
    MPI_Finalize();
    return 0;
}
