/* expects: error OMM302 */
/* The root of a reduction is a variable that a branch on the rank has changed. */
#include <mpi.h>
#include <stdio.h>

int main(int argc, char **argv)
{
    int root = 0, sum = 0;
    int rank, size;
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_size(MPI_COMM_WORLD, &size);

    if (rank == 2)
        root = 1;
    MPI_Gather(&rank, 1, MPI_INT, &sum, 0, MPI_INT, root, MPI_COMM_WORLD);
    MPI_Reduce(&rank, &sum, 1, MPI_INT, MPI_SUM, root, MPI_COMM_WORLD);

    if (rank == 0)
        printf("done with %d ranks\n", size);
    MPI_Finalize();
    return 0;
}
