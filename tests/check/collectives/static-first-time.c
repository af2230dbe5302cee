/* expects: nothing */
/* A static flag makes only the first call collective, and that in every rank alike. */
#include <mpi.h>
#include <stdio.h>

static void sync_once(void)
{
    static int first = 1;
    if (first) {
        MPI_Barrier(MPI_COMM_WORLD);
        first = 0;
    }
}

int main(int argc, char **argv)
{
    int rank, size;
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_size(MPI_COMM_WORLD, &size);

    for (int i = 0; i < 3; i++)
        sync_once();

    if (rank == 0)
        printf("done with %d ranks\n", size);
    MPI_Finalize();
    return 0;
}
