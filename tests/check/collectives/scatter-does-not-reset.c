/* expects: error OMM302 */
/* The root hands a different number to each rank. */
#include <mpi.h>
#include <stdio.h>

int main(int argc, char **argv)
{
    int table[64], mine = 0;
    int rank, size;
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_size(MPI_COMM_WORLD, &size);

    for (int i = 0; i < 64; i++)
        table[i] = i;
    MPI_Scatter(table, 1, MPI_INT, &mine, 1, MPI_INT, 0, MPI_COMM_WORLD);
    for (int i = 0; i < mine; i++)
        MPI_Barrier(MPI_COMM_WORLD);

    if (rank == 0)
        printf("done with %d ranks\n", size);
    MPI_Finalize();
    return 0;
}
