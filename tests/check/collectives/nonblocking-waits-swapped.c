/* expects: nothing */
/* All start two collectives in one order; waiting for them in another order is allowed. */
#include <mpi.h>
#include <stdio.h>

int main(int argc, char **argv)
{
    MPI_Request a, b;
    int n = 1, v = 2, sum = 0;
    int rank, size;
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_size(MPI_COMM_WORLD, &size);

    MPI_Ibcast(&n, 1, MPI_INT, 0, MPI_COMM_WORLD, &a);
    MPI_Iallreduce(&v, &sum, 1, MPI_INT, MPI_SUM, MPI_COMM_WORLD, &b);
    if (rank == 0) {
        MPI_Wait(&a, MPI_STATUS_IGNORE);
        MPI_Wait(&b, MPI_STATUS_IGNORE);
    } else {
        MPI_Wait(&b, MPI_STATUS_IGNORE);
        MPI_Wait(&a, MPI_STATUS_IGNORE);
    }

    if (rank == 0)
        printf("done with %d ranks\n", size);
    MPI_Finalize();
    return 0;
}
