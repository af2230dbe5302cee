/* expects: nothing */
/* The root and the others each have their own call of the same reduction. */
#include <mpi.h>
#include <stdio.h>

int main(int argc, char **argv)
{
    int v, sum = 0;
    int rank, size;
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_size(MPI_COMM_WORLD, &size);

    v = rank + 1;
    if (rank == 0) {
        sum = v;
        MPI_Reduce(MPI_IN_PLACE, &sum, 1, MPI_INT, MPI_SUM, 0, MPI_COMM_WORLD);
        printf("sum %d\n", sum);
    } else {
        MPI_Reduce(&v, NULL, 1, MPI_INT, MPI_SUM, 0, MPI_COMM_WORLD);
    }

    if (rank == 0)
        printf("done with %d ranks\n", size);
    MPI_Finalize();
    return 0;
}
