/* expects: error OMM302 */
/* Each rank names itself as the root of a gather: every one waits for the others' data. */
#include <mpi.h>
#include <stdio.h>

int main(int argc, char **argv)
{
    int all[64];
    int rank, size;
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_size(MPI_COMM_WORLD, &size);

    MPI_Gather(&rank, 1, MPI_INT, all, 1, MPI_INT, rank, MPI_COMM_WORLD);

    if (rank == 0)
        printf("done with %d ranks\n", size);
    MPI_Finalize();
    return 0;
}
