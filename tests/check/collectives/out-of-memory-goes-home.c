/* expects: nothing */
/* A process that gets no memory goes home: nobody means such a run. */
#include <mpi.h>
#include <stdio.h>
#include <stdlib.h>

int main(int argc, char **argv)
{
    int rank, size;
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_size(MPI_COMM_WORLD, &size);

    double *all = NULL;
    if (rank == 0) {
        all = malloc(100 * sizeof *all);
        if (!all) {
            MPI_Finalize();
            return 1;
        }
    }
    MPI_Barrier(MPI_COMM_WORLD);
    free(all);

    printf("%d of %d\n", rank, size);
    MPI_Finalize();
    return 0;
}
