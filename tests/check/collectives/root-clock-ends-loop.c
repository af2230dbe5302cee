/* expects: nothing */
/* The root looks at the clock and broadcasts whether to go on. */
#include <mpi.h>
#include <stdio.h>

int main(int argc, char **argv)
{
    int go = 1;
    double start;
    int rank, size;
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_size(MPI_COMM_WORLD, &size);

    start = MPI_Wtime();
    while (go) {
        go = MPI_Wtime() - start < 0.05;
        MPI_Bcast(&go, 1, MPI_INT, 0, MPI_COMM_WORLD);
    }

    if (rank == 0)
        printf("done with %d ranks\n", size);
    MPI_Finalize();
    return 0;
}
