/* expects: nothing */
/* Both colours do other collectives, each on its own part. */
#include <mpi.h>
#include <stdio.h>

int main(int argc, char **argv)
{
    MPI_Comm part;
    int color, v = 1, sum = 0;
    int rank, size;
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_size(MPI_COMM_WORLD, &size);

    color = rank % 2;
    MPI_Comm_split(MPI_COMM_WORLD, color, rank, &part);
    if (color == 0) {
        MPI_Allreduce(&v, &sum, 1, MPI_INT, MPI_SUM, part);
        MPI_Barrier(part);
    } else {
        MPI_Bcast(&v, 1, MPI_INT, 0, part);
    }
    MPI_Comm_free(&part);

    if (rank == 0)
        printf("done with %d ranks\n", size);
    MPI_Finalize();
    return 0;
}
