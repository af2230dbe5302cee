/* expects: nothing */
/* Reduce to the root and broadcast from there: the pair makes the sum common. */
#include <mpi.h>
#include <stdio.h>

int main(int argc, char **argv)
{
    int one = 1, sum = 0;
    int rank, size;
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_size(MPI_COMM_WORLD, &size);

    MPI_Reduce(&one, &sum, 1, MPI_INT, MPI_SUM, 0, MPI_COMM_WORLD);
    MPI_Bcast(&sum, 1, MPI_INT, 0, MPI_COMM_WORLD);
    for (int i = 0; i < sum; i++)
        MPI_Barrier(MPI_COMM_WORLD);

    if (rank == 0)
        printf("done with %d ranks\n", size);
    MPI_Finalize();
    return 0;
}
