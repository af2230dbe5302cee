/* expects: error OMM302 */
/* The return lies between two collectives, so some ranks have the first only. */
#include <mpi.h>
#include <stdio.h>

static int average(int mine, int n)
{
    int sum = 0;
    MPI_Reduce(&mine, &sum, 1, MPI_INT, MPI_SUM, 0, MPI_COMM_WORLD);
    if (sum == 0)
        return 0;
    sum /= n;
    MPI_Bcast(&sum, 1, MPI_INT, 0, MPI_COMM_WORLD);
    return sum;
}

int main(int argc, char **argv)
{
    int rank, size;
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_size(MPI_COMM_WORLD, &size);

    int a = average(rank * 2, size);
    MPI_Barrier(MPI_COMM_WORLD);
    if (rank == 0)
        printf("average %d\n", a);

    if (rank == 0)
        printf("done with %d ranks\n", size);
    MPI_Finalize();
    return 0;
}
