/* expects: error OMM302 */
/* One call, but the rank picks the communicator it is on. */
#include <mpi.h>
#include <stdio.h>

int main(int argc, char **argv)
{
    MPI_Comm copy, c;
    int rank, size;
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_size(MPI_COMM_WORLD, &size);

    MPI_Comm_dup(MPI_COMM_WORLD, &copy);
    c = rank == 0 ? copy : MPI_COMM_WORLD;
    MPI_Barrier(c);
    MPI_Comm_free(&copy);

    if (rank == 0)
        printf("done with %d ranks\n", size);
    MPI_Finalize();
    return 0;
}
