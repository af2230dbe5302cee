/* expects: warning OMM302 */
/* The root fills one of two tables, and nobody knows which: the other one is the same for all. */
#include <mpi.h>

struct table { int filled; };

static struct table one, two;

int main(int argc, char **argv)
{
    int rank;
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    struct table *table = argc > 1 ? &one : &two;
    if (rank == 0)
        table->filled = 1;
    if (one.filled)
        MPI_Barrier(MPI_COMM_WORLD);
    MPI_Finalize();
    return 0;
}
