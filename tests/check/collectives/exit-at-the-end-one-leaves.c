/* expects: error OMM302 */
/* The program ends by exit; process 1 does so before the barrier. */
#include <mpi.h>
#include <stdio.h>
#include <stdlib.h>

int main(int argc, char **argv)
{
    int rank, size;
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_size(MPI_COMM_WORLD, &size);

    if (rank == 1) {
        MPI_Finalize();
        exit(EXIT_SUCCESS);
    }
    MPI_Barrier(MPI_COMM_WORLD);

    printf("%d of %d\n", rank, size);
    MPI_Finalize();
    exit(EXIT_SUCCESS);
}
