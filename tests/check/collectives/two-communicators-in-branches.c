/* expects: error OMM302 */
/* Both sides hold a barrier, each on another communicator that all ranks belong to. */
#include <mpi.h>
#include <stdio.h>

int main(int argc, char **argv)
{
    MPI_Comm copy;
    int rank, size;
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_size(MPI_COMM_WORLD, &size);

    MPI_Comm_dup(MPI_COMM_WORLD, &copy);
    if (rank % 2)
        MPI_Barrier(MPI_COMM_WORLD);
    else
        MPI_Barrier(copy);
    MPI_Comm_free(&copy);

    if (rank == 0)
        printf("done with %d ranks\n", size);
    MPI_Finalize();
    return 0;
}
