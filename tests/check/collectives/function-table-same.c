/* expects: nothing */
/* The rank picks a function of a table, and each of them holds the same broadcast. */
#include <mpi.h>
#include <stdio.h>

static int give(int v)
{
    MPI_Bcast(&v, 1, MPI_INT, 0, MPI_COMM_WORLD);
    return v;
}

static int take(int v)
{
    int got = 0;
    MPI_Bcast(&got, 1, MPI_INT, 0, MPI_COMM_WORLD);
    return got + 0 * v;
}

int main(int argc, char **argv)
{
    int (*const role[2])(int) = {give, take};
    int rank, size;
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_size(MPI_COMM_WORLD, &size);

    int v = role[rank != 0](17);
    if (rank == 0)
        printf("value %d\n", v);

    if (rank == 0)
        printf("done with %d ranks\n", size);
    MPI_Finalize();
    return 0;
}
