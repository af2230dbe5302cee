/* expects: nothing */
/* A helper returns the reduced maximum of the local values. */
#include <mpi.h>
#include <stdio.h>

static double global_max(double x)
{
    double all = 0.0;
    MPI_Allreduce(&x, &all, 1, MPI_DOUBLE, MPI_MAX, MPI_COMM_WORLD);
    return all;
}

int main(int argc, char **argv)
{
    double err = 8.0;
    int steps = 0;
    int rank, size;
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_size(MPI_COMM_WORLD, &size);

    while (global_max(err) > 0.5) {
        err /= rank + 2;
        steps++;
    }
    if (rank == 0)
        printf("steps %d\n", steps);

    if (rank == 0)
        printf("done with %d ranks\n", size);
    MPI_Finalize();
    return 0;
}
