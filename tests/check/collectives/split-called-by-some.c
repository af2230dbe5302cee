/* expects: error OMM302 */
/* The split is itself a collective of the whole communicator, and rank 0 does not call it. */
#include <mpi.h>
#include <stdio.h>

int main(int argc, char **argv)
{
    MPI_Comm workers = MPI_COMM_NULL;
    int rank, size;
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_size(MPI_COMM_WORLD, &size);

    if (rank > 0)
        MPI_Comm_split(MPI_COMM_WORLD, 1, rank, &workers);
    if (workers != MPI_COMM_NULL)
        MPI_Comm_free(&workers);

    if (rank == 0)
        printf("done with %d ranks\n", size);
    MPI_Finalize();
    return 0;
}
