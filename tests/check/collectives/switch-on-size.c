/* expects: nothing */
/* A switch on the number of ranks picks the same case everywhere. */
#include <mpi.h>
#include <stdio.h>

int main(int argc, char **argv)
{
    int v = 1, sum = 0;
    int rank, size;
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_size(MPI_COMM_WORLD, &size);

    switch (size) {
    case 1:
        sum = v;
        break;
    case 2:
        MPI_Barrier(MPI_COMM_WORLD);
        /* fall through */
    default:
        MPI_Allreduce(&v, &sum, 1, MPI_INT, MPI_SUM, MPI_COMM_WORLD);
        break;
    }

    if (rank == 0)
        printf("done with %d ranks\n", size);
    MPI_Finalize();
    return 0;
}
