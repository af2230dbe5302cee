/* expects: nothing */
/* The parameters are read by the root into an array that is broadcast as a whole. */
#include <mpi.h>
#include <stdio.h>

int main(int argc, char **argv)
{
    int par[4] = {0};
    int rank, size;
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_size(MPI_COMM_WORLD, &size);

    if (rank == 0) {
        par[0] = 8;
        par[1] = 3;
        par[2] = 2;
    }
    MPI_Bcast(par, 4, MPI_INT, 0, MPI_COMM_WORLD);
    for (int i = 0; i < par[2]; i++)
        MPI_Barrier(MPI_COMM_WORLD);
    if (par[1] == 3)
        MPI_Barrier(MPI_COMM_WORLD);

    if (rank == 0)
        printf("done with %d ranks\n", size);
    MPI_Finalize();
    return 0;
}
