/* expects: error OMM302 */
/* The rank picks the callback that a helper applies. */
#include <mpi.h>
#include <stdio.h>

static void apply(void (*step)(int), int n)
{
    for (int i = 0; i < n; i++)
        step(i);
}

static void quiet(int i)
{
    (void)i;
}

static void loud(int i)
{
    (void)i;
    MPI_Barrier(MPI_COMM_WORLD);
}

int main(int argc, char **argv)
{
    int rank, size;
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_size(MPI_COMM_WORLD, &size);

    apply(rank == 0 ? loud : quiet, 2);

    if (rank == 0)
        printf("done with %d ranks\n", size);
    MPI_Finalize();
    return 0;
}
