/* expects: nothing */
/* Only the root has the full arrays; scatter and gather are called by all. */
#include <mpi.h>
#include <stdio.h>
#include <stdlib.h>

int main(int argc, char **argv)
{
    double *full = NULL, part[4];
    int rank, size;
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_size(MPI_COMM_WORLD, &size);

    if (rank == 0) {
        full = malloc(sizeof(double) * 4 * (size_t)size);
        if (full == NULL)
            MPI_Abort(MPI_COMM_WORLD, 1);
        for (int i = 0; i < 4 * size; i++)
            full[i] = i;
    }
    MPI_Scatter(full, 4, MPI_DOUBLE, part, 4, MPI_DOUBLE, 0, MPI_COMM_WORLD);
    for (int i = 0; i < 4; i++)
        part[i] *= 2.0;
    MPI_Gather(part, 4, MPI_DOUBLE, full, 4, MPI_DOUBLE, 0, MPI_COMM_WORLD);
    if (rank == 0) {
        printf("last %.0f\n", full[4 * size - 1]);
        free(full);
    }

    if (rank == 0)
        printf("done with %d ranks\n", size);
    MPI_Finalize();
    return 0;
}
