/* expects: nothing */
/* Without arguments the root would print the usage, and all ranks finalize and return. */
#include <mpi.h>
#include <stdio.h>

int main(int argc, char **argv)
{
    int sum = 0;
    int rank, size;
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_size(MPI_COMM_WORLD, &size);

    if (argc < 1) {
        if (rank == 0)
            printf("usage: %s\n", argv[0]);
        MPI_Finalize();
        return 2;
    }
    MPI_Allreduce(&rank, &sum, 1, MPI_INT, MPI_SUM, MPI_COMM_WORLD);

    if (rank == 0)
        printf("done with %d ranks\n", size);
    MPI_Finalize();
    return 0;
}
