/* expects: error OMM302 */
/* A loop ends by what a part of the processes reduces; behind it not all come to a barrier. */
#include <mpi.h>
#include <stdio.h>
int main(int argc, char **argv)
{
    int rank, size;
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_size(MPI_COMM_WORLD, &size);
    MPI_Comm part;
    MPI_Comm_split(MPI_COMM_WORLD, rank % 2, rank, &part);
    int mine = rank + 2, left = 1;
    while (left > 0) {
        mine--;
        int open = mine > 0;
        MPI_Allreduce(&open, &left, 1, MPI_INT, MPI_SUM, part);
    }
    MPI_Comm_free(&part);
    if (rank)
        MPI_Barrier(MPI_COMM_WORLD);
    MPI_Finalize();
    return 0;
}
