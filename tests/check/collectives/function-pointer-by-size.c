/* expects: nothing */
/* The number of ranks picks the function, the same one everywhere. */
#include <mpi.h>
#include <stdio.h>

static void sync_small(void)
{
    MPI_Barrier(MPI_COMM_WORLD);
}

static void sync_large(void)
{
    int token = 0;
    MPI_Bcast(&token, 1, MPI_INT, 0, MPI_COMM_WORLD);
}

int main(int argc, char **argv)
{
    void (*sync)(void);
    int rank, size;
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_size(MPI_COMM_WORLD, &size);

    sync = size < 8 ? sync_small : sync_large;
    sync();

    if (rank == 0)
        printf("done with %d ranks\n", size);
    MPI_Finalize();
    return 0;
}
