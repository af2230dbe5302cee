/* expects: warning OMM302 */
/* A rank without a partner continues with the next phase, past the reduction. */
#include <mpi.h>
#include <stdio.h>

static int trade(int *mine, int rank, int partner)
{
    int theirs, swap;
    MPI_Sendrecv(mine, 1, MPI_INT, partner, 0, &theirs, 1, MPI_INT, partner, 0, MPI_COMM_WORLD,
                 MPI_STATUS_IGNORE);
    swap = rank < partner ? theirs < *mine : theirs > *mine;
    if (swap)
        *mine = theirs;
    return swap;
}

int main(int argc, char **argv)
{
    int mine, swaps, all = 0;
    int rank, size;
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_size(MPI_COMM_WORLD, &size);

    mine = size - rank;
    for (int phase = 0; phase < size; phase++) {
        int partner = (rank + phase) % 2 ? rank - 1 : rank + 1;
        if (partner < 0 || partner >= size)
            continue;
        swaps = trade(&mine, rank, partner);
        MPI_Allreduce(&swaps, &all, 1, MPI_INT, MPI_SUM, MPI_COMM_WORLD);
    }
    if (rank == 0)
        printf("smallest %d\n", mine);

    if (rank == 0)
        printf("done with %d ranks\n", size);
    MPI_Finalize();
    return 0;
}
