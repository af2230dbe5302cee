/* expects: error OMM302 */
/* Duplicating a communicator is a collective that rank 2 leaves out. */
#include <mpi.h>
#include <stdio.h>

int main(int argc, char **argv)
{
    MPI_Comm copy = MPI_COMM_NULL;
    int rank, size;
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_size(MPI_COMM_WORLD, &size);

    if (rank < 2)
        MPI_Comm_dup(MPI_COMM_WORLD, &copy);
    if (copy != MPI_COMM_NULL)
        MPI_Comm_free(&copy);

    if (rank == 0)
        printf("done with %d ranks\n", size);
    MPI_Finalize();
    return 0;
}
