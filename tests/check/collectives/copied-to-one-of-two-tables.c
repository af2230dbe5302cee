/* expects: warning OMM302 */
/* The root copies into one of two tables, and nobody knows which: the other one is the same for all. */
#include <mpi.h>
#include <string.h>

static int one[4], two[4];

int main(int argc, char **argv)
{
    int rank, new[4] = { 1, 1, 1, 1 };
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    int *table = argc > 1 ? one : two;
    if (rank == 0)
        memcpy(table, new, argc * sizeof *table);
    if (one[1])
        MPI_Barrier(MPI_COMM_WORLD);
    MPI_Finalize();
    return 0;
}
