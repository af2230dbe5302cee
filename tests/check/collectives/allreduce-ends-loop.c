/* expects: nothing */
/* Every rank counts down its own number, and an allreduced total ends the loop for all at once. */
#include <mpi.h>
#include <stdio.h>

int main(int argc, char **argv)
{
    int rank, size;
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_size(MPI_COMM_WORLD, &size);

    int mine = rank + 3, left = 1, rounds = 0;
    while (left > 0) {
        mine--;
        int busy = mine > 0;
        MPI_Allreduce(&busy, &left, 1, MPI_INT, MPI_SUM, MPI_COMM_WORLD);
        rounds++;
    }

    if (rank == 0)
        printf("%d rounds for %d ranks\n", rounds, size);
    MPI_Finalize();
    return 0;
}
