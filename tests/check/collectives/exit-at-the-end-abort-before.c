/* expects: nothing */
/* The program ends by exit; who finds something wrong aborts before. */
#include <mpi.h>
#include <stdio.h>
#include <stdlib.h>

int main(int argc, char **argv)
{
    int rank, size;
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_size(MPI_COMM_WORLD, &size);

    if (rank > 1000)
        MPI_Abort(MPI_COMM_WORLD, 3);
    MPI_Barrier(MPI_COMM_WORLD);

    printf("%d of %d\n", rank, size);
    MPI_Finalize();
    exit(EXIT_SUCCESS);
}
