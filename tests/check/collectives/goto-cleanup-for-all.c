/* expects: nothing */
/* The jump to the cleanup depends on the number of ranks, so all take it or none. */
#include <mpi.h>
#include <stdio.h>
#include <stdlib.h>

int main(int argc, char **argv)
{
    int *all = NULL;
    int rank, size;
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_size(MPI_COMM_WORLD, &size);

    if (size > 64)
        goto out;
    all = malloc(sizeof(int) * (size_t)size);
    if (all == NULL)
        MPI_Abort(MPI_COMM_WORLD, 1);
    MPI_Allgather(&rank, 1, MPI_INT, all, 1, MPI_INT, MPI_COMM_WORLD);

out:
    free(all);
    if (rank == 0)
        printf("done with %d ranks\n", size);
    MPI_Finalize();
    return 0;
}
