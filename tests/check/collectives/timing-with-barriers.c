/* expects: nothing */
/* Barriers around a measured part, and the slowest rank's time goes to the root. */
#include <mpi.h>
#include <stdio.h>

int main(int argc, char **argv)
{
    double t, slowest = 0.0, x = 0.0;
    int rank, size;
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_size(MPI_COMM_WORLD, &size);

    MPI_Barrier(MPI_COMM_WORLD);
    t = MPI_Wtime();
    for (int i = 0; i < 10000 * (rank + 1); i++)
        x += 1e-4;
    t = MPI_Wtime() - t;
    MPI_Barrier(MPI_COMM_WORLD);
    MPI_Reduce(&t, &slowest, 1, MPI_DOUBLE, MPI_MAX, 0, MPI_COMM_WORLD);
    if (rank == 0)
        printf("%s\n", slowest >= t && x > 0.0 ? "measured" : "clock runs backwards");

    if (rank == 0)
        printf("done with %d ranks\n", size);
    MPI_Finalize();
    return 0;
}
