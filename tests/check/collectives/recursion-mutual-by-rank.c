/* expects: warning OMM302 */
/* Two functions call each other, one with a barrier, as deep as the rank. */
#include <mpi.h>
#include <stdio.h>

static void odd(int n);

static void even(int n)
{
    if (n > 0)
        odd(n - 1);
}

static void odd(int n)
{
    MPI_Barrier(MPI_COMM_WORLD);
    if (n > 0)
        even(n - 1);
}

int main(int argc, char **argv)
{
    int rank, size;
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_size(MPI_COMM_WORLD, &size);

    even(rank);

    if (rank == 0)
        printf("done with %d ranks\n", size);
    MPI_Finalize();
    return 0;
}
