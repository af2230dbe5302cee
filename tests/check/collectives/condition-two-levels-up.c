/* expects: error OMM302 */
/* The condition stands two calls above the barrier. */
#include <mpi.h>
#include <stdio.h>

static void g(void)
{
    MPI_Barrier(MPI_COMM_WORLD);
}

static void f(void)
{
    g();
}

int main(int argc, char **argv)
{
    int rank, size;
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_size(MPI_COMM_WORLD, &size);

    if (rank == 0)
        f();

    if (rank == 0)
        printf("done with %d ranks\n", size);
    MPI_Finalize();
    return 0;
}
