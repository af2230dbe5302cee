/* expects: nothing */
/* Both arms broadcast on the communicator of one struct of the heap. */
#include <mpi.h>
#include <stdio.h>
#include <stdlib.h>

struct grid {
    MPI_Comm comm;
    int rank;
};

static struct grid *open_grid(MPI_Comm all)
{
    struct grid *g = malloc(sizeof *g);
    MPI_Comm_dup(all, &g->comm);
    MPI_Comm_rank(g->comm, &g->rank);
    return g;
}

int main(int argc, char **argv)
{
    int rank, size;
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_size(MPI_COMM_WORLD, &size);

    struct grid *g = open_grid(MPI_COMM_WORLD);
    int got = 0, sent = 7;
    if (g->rank == 0)
        MPI_Bcast(&sent, 1, MPI_INT, 0, g->comm);
    else
        MPI_Bcast(&got, 1, MPI_INT, 0, g->comm);
    MPI_Comm_free(&g->comm);
    free(g);

    printf("%d of %d\n", rank, size);
    MPI_Finalize();
    return 0;
}
