/* expects: error OMM302 */
/* Process 0 gives no colour; process 1 is a member and does not come to the barrier. */
#include <mpi.h>
#include <stdio.h>
#include <stdlib.h>

int main(int argc, char **argv)
{
    int rank, size;
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_size(MPI_COMM_WORLD, &size);

    int colour = 1;
    MPI_Comm others;
    if (rank == 0)
        colour = MPI_UNDEFINED;
    MPI_Comm_split(MPI_COMM_WORLD, colour, rank, &others);
    if (rank > 1)
        MPI_Barrier(others);

    printf("%d of %d\n", rank, size);
    MPI_Finalize();
    return 0;
}
