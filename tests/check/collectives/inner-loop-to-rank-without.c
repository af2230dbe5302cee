/* expects: nothing */
/* The inner loop is as long as the rank, but the reduction stands in the outer loop. */
#include <mpi.h>
#include <stdio.h>

int main(int argc, char **argv)
{
    double work = 0.0, all = 0.0;
    int rank, size;
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_size(MPI_COMM_WORLD, &size);

    for (int step = 0; step < 3; step++) {
        for (int i = 0; i < 100 * (rank + 1); i++)
            work += 0.5;
        MPI_Allreduce(&work, &all, 1, MPI_DOUBLE, MPI_SUM, MPI_COMM_WORLD);
    }
    if (rank == 0)
        printf("work %.1f\n", all);

    if (rank == 0)
        printf("done with %d ranks\n", size);
    MPI_Finalize();
    return 0;
}
