/* expects: nothing */
/* A reduction made of sends up a tree, with ranks leaving its loop one by one, then a barrier. */
#include <mpi.h>
#include <stdio.h>

int main(int argc, char **argv)
{
    int sum, other;
    int rank, size;
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_size(MPI_COMM_WORLD, &size);

    sum = rank + 1;
    for (int step = 1; step < size; step *= 2) {
        if (rank % (2 * step)) {
            MPI_Send(&sum, 1, MPI_INT, rank - step, 0, MPI_COMM_WORLD);
            break;
        }
        if (rank + step < size) {
            MPI_Recv(&other, 1, MPI_INT, rank + step, 0, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
            sum += other;
        }
    }
    MPI_Barrier(MPI_COMM_WORLD);
    if (rank == 0)
        printf("sum %d\n", sum);

    if (rank == 0)
        printf("done with %d ranks\n", size);
    MPI_Finalize();
    return 0;
}
