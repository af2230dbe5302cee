/* expects: nothing */
/* The guard repeats the condition of the colour instead of asking for the null communicator. */
#include <mpi.h>
#include <stdio.h>

int main(int argc, char **argv)
{
    MPI_Comm first;
    int color;
    int rank, size;
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_size(MPI_COMM_WORLD, &size);

    color = rank == 0 ? MPI_UNDEFINED : 1;
    MPI_Comm_split(MPI_COMM_WORLD, color, rank, &first);
    if (color != MPI_UNDEFINED) {
        MPI_Barrier(first);
        MPI_Comm_free(&first);
    }

    if (rank == 0)
        printf("done with %d ranks\n", size);
    MPI_Finalize();
    return 0;
}
