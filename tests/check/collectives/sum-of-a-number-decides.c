/* expects: error OMM302 */
/* A loop runs where a reduced number plus one is twelve: rarely, but then not for all. */
#include <mpi.h>
#include <stdio.h>
#include <stdlib.h>

int main(int argc, char **argv)
{
    int rank, size;
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_size(MPI_COMM_WORLD, &size);

    int mine = size == 3 ? 11 : 0, all = 0;
    MPI_Allreduce(&mine, &all, 1, MPI_INT, MPI_MAX, MPI_COMM_WORLD);
    if (all + 1 == 12)
        for (int i = 0; i < 2; i++)
            if (rank % 2)
                MPI_Barrier(MPI_COMM_WORLD);

    printf("%d of %d\n", rank, size);
    MPI_Finalize();
    return 0;
}
