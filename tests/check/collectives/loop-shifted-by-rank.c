/* expects: nothing */
/* The counter starts at the rank but the number of turns is the same everywhere. */
#include <mpi.h>
#include <stdio.h>

int main(int argc, char **argv)
{
    int owner = 0;
    int rank, size;
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_size(MPI_COMM_WORLD, &size);

    for (int k = 0; k < size; k++) {
        int block = (rank + k) % size;
        owner += block;
        MPI_Barrier(MPI_COMM_WORLD);
    }
    if (rank == 0)
        printf("blocks %d\n", owner);

    if (rank == 0)
        printf("done with %d ranks\n", size);
    MPI_Finalize();
    return 0;
}
