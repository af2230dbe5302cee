/* expects: warning OMM302 */
/* The table is the same everywhere, but each rank tests its own entry. */
#include <mpi.h>
#include <stdio.h>

int main(int argc, char **argv)
{
    int all[64] = {0};
    int rank, size;
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_size(MPI_COMM_WORLD, &size);

    int mine = rank * rank;
    MPI_Allgather(&mine, 1, MPI_INT, all, 1, MPI_INT, MPI_COMM_WORLD);
    if (all[rank] > 1)
        MPI_Barrier(MPI_COMM_WORLD);

    if (rank == 0)
        printf("done with %d ranks\n", size);
    MPI_Finalize();
    return 0;
}
