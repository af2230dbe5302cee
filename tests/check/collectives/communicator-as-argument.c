/* expects: error OMM302 */
/* Two calls of one function with another communicator on each side of the branch. */
#include <mpi.h>
#include <stdio.h>

static void sync_on(MPI_Comm c)
{
    MPI_Barrier(c);
}

int main(int argc, char **argv)
{
    MPI_Comm copy;
    int rank, size;
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_size(MPI_COMM_WORLD, &size);

    MPI_Comm_dup(MPI_COMM_WORLD, &copy);
    if (rank == 0)
        sync_on(MPI_COMM_WORLD);
    else
        sync_on(copy);
    MPI_Comm_free(&copy);

    if (rank == 0)
        printf("done with %d ranks\n", size);
    MPI_Finalize();
    return 0;
}
