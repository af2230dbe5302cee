/* expects: nothing */
/* A helper shares a value by pointer and its caller tests it. */
#include <mpi.h>
#include <stdio.h>

static void share(int *value, int root)
{
    MPI_Bcast(value, 1, MPI_INT, root, MPI_COMM_WORLD);
}

int main(int argc, char **argv)
{
    int n;
    int rank, size;
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_size(MPI_COMM_WORLD, &size);

    n = 10 - rank;
    share(&n, size - 1);
    if (n % 2 == 0)
        MPI_Barrier(MPI_COMM_WORLD);

    if (rank == 0)
        printf("done with %d ranks\n", size);
    MPI_Finalize();
    return 0;
}
