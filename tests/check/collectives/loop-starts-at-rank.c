/* expects: error OMM302 */
/* The loop ends at the same number everywhere but starts at the rank. */
#include <mpi.h>
#include <stdio.h>

int main(int argc, char **argv)
{
    int total = 0;
    int rank, size;
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_size(MPI_COMM_WORLD, &size);

    for (int i = rank; i < size; i++) {
        int one = 1;
        MPI_Allreduce(MPI_IN_PLACE, &one, 1, MPI_INT, MPI_SUM, MPI_COMM_WORLD);
        total += one;
    }

    if (rank == 0)
        printf("done with %d ranks\n", size);
    MPI_Finalize();
    return 0;
}
