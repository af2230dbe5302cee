/* expects: nothing */
/* The root is the last rank, computed from the size. */
#include <mpi.h>
#include <stdio.h>

int main(int argc, char **argv)
{
    int n = 0, last;
    int rank, size;
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_size(MPI_COMM_WORLD, &size);

    last = size - 1;
    if (rank == last)
        n = 77;
    MPI_Bcast(&n, 1, MPI_INT, last, MPI_COMM_WORLD);
    if (n == 77)
        MPI_Barrier(MPI_COMM_WORLD);

    if (rank == 0)
        printf("done with %d ranks\n", size);
    MPI_Finalize();
    return 0;
}
