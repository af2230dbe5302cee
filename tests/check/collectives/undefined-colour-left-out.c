/* expects: nothing */
/* Process 0 gives no colour, and does not come to the barrier of the others. */
#include <mpi.h>
#include <stdio.h>
#include <stdlib.h>

int main(int argc, char **argv)
{
    int rank, size;
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_size(MPI_COMM_WORLD, &size);

    int colour = rank < size / 2 ? 0 : 1;
    MPI_Comm others;
    if (rank == 0)
        colour = MPI_UNDEFINED;
    MPI_Comm_split(MPI_COMM_WORLD, colour, rank, &others);
    if (rank != 0) {
        MPI_Barrier(others);
        MPI_Comm_free(&others);
    }

    printf("%d of %d\n", rank, size);
    MPI_Finalize();
    return 0;
}
