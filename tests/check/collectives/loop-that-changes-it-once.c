/* expects: nothing */
/* One call of a function changes in its loop what it is given, and the other one does not: what comes through that is what it was. */
#include <mpi.h>
#include <stdio.h>

static void add(int times, int more, int *to)
{
    for (int i = 0; i < times; i++)
        if (more)
            *to += more;
}

int main(int argc, char **argv)
{
    int rank, sum = 0;
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    int first = rank == 0;
    add(3, 2, &sum);
    add(3, 0, &first);
    if (first)
        MPI_Barrier(MPI_COMM_WORLD);
    if (rank != 0)
        MPI_Barrier(MPI_COMM_WORLD);
    if (rank == 0)
        printf("sum %d\n", sum);
    MPI_Finalize();
    return 0;
}
