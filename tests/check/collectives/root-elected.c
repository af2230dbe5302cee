/* expects: nothing */
/* The root is elected by a reduction with MPI_MAXLOC, so all ranks know the same one. */
#include <mpi.h>
#include <stdio.h>

int main(int argc, char **argv)
{
    struct {
        int value;
        int rank;
    } mine, best;
    int message = 0;
    int rank, size;
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_size(MPI_COMM_WORLD, &size);

    mine.value = (rank * 5) % 7;
    mine.rank = rank;
    MPI_Allreduce(&mine, &best, 1, MPI_2INT, MPI_MAXLOC, MPI_COMM_WORLD);
    if (rank == best.rank)
        message = best.value;
    MPI_Bcast(&message, 1, MPI_INT, best.rank, MPI_COMM_WORLD);
    if (rank == 0)
        printf("best %d of rank %d\n", message, best.rank);

    if (rank == 0)
        printf("done with %d ranks\n", size);
    MPI_Finalize();
    return 0;
}
