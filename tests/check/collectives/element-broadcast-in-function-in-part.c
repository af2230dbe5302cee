/* expects: error OMM302 */
/* A function broadcasts the first element only; the second one holds the rank. */
#include <mpi.h>
#include <stdio.h>

static void share(int *table)
{
    MPI_Bcast(table, 1, MPI_INT, 0, MPI_COMM_WORLD);
}

int main(int argc, char **argv)
{
    int rank, size;
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_size(MPI_COMM_WORLD, &size);

    int table[2];
    table[0] = rank;
    table[1] = rank + 1;
    share(table);
    if (table[1] == 1)
        MPI_Barrier(MPI_COMM_WORLD);

    printf("%d of %d\n", rank, size);
    MPI_Finalize();
    return 0;
}
