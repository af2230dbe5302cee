/* expects: error OMM302 */
/* A loop made of labels and a jump back is as long as the rank says. */
#include <mpi.h>
#include <stdio.h>

int main(int argc, char **argv)
{
    int left;
    int rank, size;
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_size(MPI_COMM_WORLD, &size);

    left = rank;
again:
    MPI_Barrier(MPI_COMM_WORLD);
    if (left > 0) {
        left--;
        goto again;
    }

    if (rank == 0)
        printf("done with %d ranks\n", size);
    MPI_Finalize();
    return 0;
}
