/* expects: warning OMM302 */
/* The flag that is tested was written to the heap at an index of the own rank. */
#include <mpi.h>
#include <stdio.h>
#include <stdlib.h>

int main(int argc, char **argv)
{
    int rank, size;
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_size(MPI_COMM_WORLD, &size);

    char *mine = calloc((size_t)size + 1, 1);
    if (mine == NULL)
        MPI_Abort(MPI_COMM_WORLD, 1);
    mine[rank] = 1;
    for (int i = 0; i < 2; i++) {
        if (mine[i])
            MPI_Barrier(MPI_COMM_WORLD);
    }
    free(mine);

    if (rank == 0)
        printf("done with %d ranks\n", size);
    MPI_Finalize();
    return 0;
}
