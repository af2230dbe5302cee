/* expects: error OMM302 */
/* The root fills the only table that there is, in a function of its own. */
#include <mpi.h>

struct table { int filled; };

static struct table one;

static void fill(struct table *table)
{
    table->filled = 1;
}

int main(int argc, char **argv)
{
    int rank;
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    if (rank == 0)
        fill(&one);
    if (one.filled)
        MPI_Barrier(MPI_COMM_WORLD);
    MPI_Finalize();
    return 0;
}
