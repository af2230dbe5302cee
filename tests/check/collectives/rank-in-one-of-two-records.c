/* expects: warning OMM302 */
/* The number of each process is put into one of two tables, and nobody knows which. */
#include <mpi.h>

struct table { int owner; };

static struct table one, two;

static void own(struct table *table, int owner)
{
    table->owner = owner;
}

int main(int argc, char **argv)
{
    int rank;
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    own(argc > 1 ? &one : &two, rank);
    if (one.owner == 0)
        MPI_Barrier(MPI_COMM_WORLD);
    MPI_Finalize();
    return 0;
}
