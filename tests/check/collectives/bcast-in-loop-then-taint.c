/* expects: error OMM302 */
/* The loop's own end test comes after a change by rank, in the second turn of the loop. */
#include <mpi.h>
#include <stdio.h>

int main(int argc, char **argv)
{
    int n = 3;
    int rank, size;
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_size(MPI_COMM_WORLD, &size);

    for (int turn = 0; turn < n; turn++) {
        MPI_Barrier(MPI_COMM_WORLD);
        if (turn == 1)
            n = 3 + rank;
    }

    if (rank == 0)
        printf("done with %d ranks\n", size);
    MPI_Finalize();
    return 0;
}
