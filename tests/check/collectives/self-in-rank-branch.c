/* expects: nothing */
/* MPI_COMM_SELF has one member, which is always there. */
#include <mpi.h>
#include <stdio.h>

int main(int argc, char **argv)
{
    int n = 1, sum = 0;
    int rank, size;
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_size(MPI_COMM_WORLD, &size);

    if (rank == 0) {
        MPI_Barrier(MPI_COMM_SELF);
        MPI_Allreduce(&n, &sum, 1, MPI_INT, MPI_SUM, MPI_COMM_SELF);
        printf("sum of one %d\n", sum);
    }

    if (rank == 0)
        printf("done with %d ranks\n", size);
    MPI_Finalize();
    return 0;
}
