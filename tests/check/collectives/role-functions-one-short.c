/* expects: error OMM302 */
/* The worker function forgets the last barrier of the root function. */
#include <mpi.h>
#include <stdio.h>

static void root(int n)
{
    int sum = 0, zero = 0;
    MPI_Bcast(&n, 1, MPI_INT, 0, MPI_COMM_WORLD);
    MPI_Reduce(&zero, &sum, 1, MPI_INT, MPI_SUM, 0, MPI_COMM_WORLD);
    printf("root has %d\n", sum);
    MPI_Barrier(MPI_COMM_WORLD);
}

static void worker(void)
{
    int n = 0;
    MPI_Bcast(&n, 1, MPI_INT, 0, MPI_COMM_WORLD);
    n *= 2;
    MPI_Reduce(&n, NULL, 1, MPI_INT, MPI_SUM, 0, MPI_COMM_WORLD);
}

int main(int argc, char **argv)
{
    int rank, size;
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_size(MPI_COMM_WORLD, &size);

    if (rank == 0)
        root(21);
    else
        worker();

    if (rank == 0)
        printf("done with %d ranks\n", size);
    MPI_Finalize();
    return 0;
}
