/* expects: warning OMM302 */
/* The closing brace stands one line too low: barriers only up to the own turn. */
#include <mpi.h>
#include <stdio.h>

int main(int argc, char **argv)
{
    int rank, size;
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_size(MPI_COMM_WORLD, &size);

    for (int turn = 0; turn < size; turn++) {
        if (turn <= rank) {
            printf("turn %d of rank %d\n", turn, rank);
            fflush(stdout);
            MPI_Barrier(MPI_COMM_WORLD);
        }
    }

    if (rank == 0)
        printf("done with %d ranks\n", size);
    MPI_Finalize();
    return 0;
}
