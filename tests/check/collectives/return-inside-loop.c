/* expects: error OMM302 */
/* The function returns out of its loop when the own number is used up. */
#include <mpi.h>
#include <stdio.h>

static int countdown(int n)
{
    for (int turn = 0;; turn++) {
        if (n-- == 0)
            return turn;
        MPI_Barrier(MPI_COMM_WORLD);
    }
}

int main(int argc, char **argv)
{
    int turns;
    int rank, size;
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_size(MPI_COMM_WORLD, &size);

    turns = countdown(rank + 1);
    if (rank == 0)
        printf("turns %d\n", turns);

    if (rank == 0)
        printf("done with %d ranks\n", size);
    MPI_Finalize();
    return 0;
}
