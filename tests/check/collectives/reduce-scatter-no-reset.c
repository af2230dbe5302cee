/* expects: error OMM302 */
/* Each rank keeps another part of the reduced vector. */
#include <mpi.h>
#include <stdio.h>

int main(int argc, char **argv)
{
    int v[64], mine = 0;
    int rank, size;
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_size(MPI_COMM_WORLD, &size);

    for (int i = 0; i < size; i++)
        v[i] = i;
    MPI_Reduce_scatter_block(v, &mine, 1, MPI_INT, MPI_SUM, MPI_COMM_WORLD);
    if (mine > size)
        MPI_Barrier(MPI_COMM_WORLD);

    if (rank == 0)
        printf("done with %d ranks\n", size);
    MPI_Finalize();
    return 0;
}
