/* expects: nothing */
/* A rank that finds something wrong aborts the whole job, so it needs no partner. */
#include <mpi.h>
#include <stdio.h>

int main(int argc, char **argv)
{
    int sum = 0;
    int rank, size;
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_size(MPI_COMM_WORLD, &size);

    if (rank > 1000) {
        fprintf(stderr, "rank %d is too much\n", rank);
        MPI_Abort(MPI_COMM_WORLD, 3);
    }
    MPI_Allreduce(&rank, &sum, 1, MPI_INT, MPI_SUM, MPI_COMM_WORLD);

    if (rank == 0)
        printf("done with %d ranks\n", size);
    MPI_Finalize();
    return 0;
}
