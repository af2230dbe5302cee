/* expects: nothing */
/* The root alone parses the input, and a broadcast makes the number of steps common. */
#include <mpi.h>
#include <stdio.h>

int main(int argc, char **argv)
{
    int steps = 0;
    double v, sum = 0.0;
    int rank, size;
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_size(MPI_COMM_WORLD, &size);

    if (rank == 0) {
        const char *input = "steps 4";
        if (sscanf(input, "steps %d", &steps) != 1)
            MPI_Abort(MPI_COMM_WORLD, 1);
    }
    MPI_Bcast(&steps, 1, MPI_INT, 0, MPI_COMM_WORLD);
    for (int i = 0; i < steps; i++) {
        v = rank + i;
        MPI_Allreduce(&v, &sum, 1, MPI_DOUBLE, MPI_SUM, MPI_COMM_WORLD);
    }
    if (rank == 0)
        printf("sum %.1f\n", sum);

    if (rank == 0)
        printf("done with %d ranks\n", size);
    MPI_Finalize();
    return 0;
}
