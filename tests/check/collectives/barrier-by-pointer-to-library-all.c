/* expects: nothing */
/* A pointer leads to the library's function itself, and all call it. */
#include <mpi.h>
#include <stdio.h>
#include <stdlib.h>

int main(int argc, char **argv)
{
    int rank, size;
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_size(MPI_COMM_WORLD, &size);

    int (*meet)(MPI_Comm) = MPI_Barrier;
    if (rank == 0)
        printf("first\n");
    meet(MPI_COMM_WORLD);

    printf("%d of %d\n", rank, size);
    MPI_Finalize();
    return 0;
}
