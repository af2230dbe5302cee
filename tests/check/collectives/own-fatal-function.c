/* expects: nothing */
/* The abort is inside an own function that does not return, under a condition of the rank. */
#include <mpi.h>
#include <stdio.h>
#include <stdlib.h>

static _Noreturn void fatal(const char *what, int rank)
{
    fprintf(stderr, "rank %d: %s\n", rank, what);
    MPI_Abort(MPI_COMM_WORLD, 1);
    abort();
}

int main(int argc, char **argv)
{
    int rank, size;
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_size(MPI_COMM_WORLD, &size);

    double *mine = malloc(sizeof(double) * (size_t)(rank + 1));
    if (mine == NULL)
        fatal("no memory", rank);
    mine[rank] = 1.0;
    MPI_Allreduce(MPI_IN_PLACE, mine, 1, MPI_DOUBLE, MPI_MAX, MPI_COMM_WORLD);
    free(mine);

    if (rank == 0)
        printf("done with %d ranks\n", size);
    MPI_Finalize();
    return 0;
}
