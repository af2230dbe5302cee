/* expects: error OMM302 */
/* One element of two is broadcast; the condition asks for the other one. */
#include <mpi.h>
#include <stdio.h>

int main(int argc, char **argv)
{
    int rank, size;
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_size(MPI_COMM_WORLD, &size);

    int table[2];
    table[0] = rank;
    table[1] = rank;
    MPI_Bcast(table, 1, MPI_INT, 0, MPI_COMM_WORLD);
    if (table[1] == 1)
        MPI_Barrier(MPI_COMM_WORLD);

    printf("%d of %d\n", rank, size);
    MPI_Finalize();
    return 0;
}
