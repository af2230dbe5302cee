/* expects: nothing */
/* Every third step gathers the state, by the common step counter. */
#include <mpi.h>
#include <stdio.h>

int main(int argc, char **argv)
{
    double state, all[64];
    int saved = 0;
    int rank, size;
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_size(MPI_COMM_WORLD, &size);

    state = rank;
    for (int step = 1; step <= 9; step++) {
        state = 0.5 * state + step;
        if (step % 3 != 0)
            continue;
        MPI_Gather(&state, 1, MPI_DOUBLE, all, 1, MPI_DOUBLE, 0, MPI_COMM_WORLD);
        saved++;
    }
    if (rank == 0)
        printf("saved %d times\n", saved);

    if (rank == 0)
        printf("done with %d ranks\n", size);
    MPI_Finalize();
    return 0;
}
