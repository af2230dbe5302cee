/* expects: nothing */
/* Lock and unlock are no collectives: the rank that wants to put does so alone. */
#include <mpi.h>
#include <stdio.h>

int main(int argc, char **argv)
{
    MPI_Win w;
    int *box, v = 5;
    int rank, size;
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_size(MPI_COMM_WORLD, &size);

    MPI_Win_allocate(sizeof(int), sizeof(int), MPI_INFO_NULL, MPI_COMM_WORLD, &box, &w);
    *box = 0;
    MPI_Barrier(MPI_COMM_WORLD);
    if (rank == 0) {
        MPI_Win_lock(MPI_LOCK_EXCLUSIVE, size - 1, 0, w);
        MPI_Put(&v, 1, MPI_INT, size - 1, 0, 1, MPI_INT, w);
        MPI_Win_unlock(size - 1, w);
    }
    MPI_Barrier(MPI_COMM_WORLD);
    MPI_Win_free(&w);

    if (rank == 0)
        printf("done with %d ranks\n", size);
    MPI_Finalize();
    return 0;
}
