/* expects: error OMM302 */
/* Both sides broadcast, one from rank 0 and the other from rank 1. */
#include <mpi.h>
#include <stdio.h>

int main(int argc, char **argv)
{
    int n = 3;
    int rank, size;
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_size(MPI_COMM_WORLD, &size);

    if (rank < 2)
        MPI_Bcast(&n, 1, MPI_INT, 0, MPI_COMM_WORLD);
    else
        MPI_Bcast(&n, 1, MPI_INT, 1, MPI_COMM_WORLD);

    if (rank == 0)
        printf("done with %d ranks\n", size);
    MPI_Finalize();
    return 0;
}
