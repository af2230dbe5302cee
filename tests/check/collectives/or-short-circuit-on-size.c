/* expects: nothing */
/* The call behind || is skipped on a single rank, and then by all. */
#include <mpi.h>
#include <stdio.h>

static int sync_all(void)
{
    return MPI_Barrier(MPI_COMM_WORLD) == MPI_SUCCESS;
}

int main(int argc, char **argv)
{
    int rank, size;
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_size(MPI_COMM_WORLD, &size);

    if (size == 1 || sync_all())
        printf("%s", rank == 0 ? "together\n" : "");

    if (rank == 0)
        printf("done with %d ranks\n", size);
    MPI_Finalize();
    return 0;
}
