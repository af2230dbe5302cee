/* expects: nothing */
/* Whether the program was started by another one is the same for all of its processes. */
#include <mpi.h>
#include <stdio.h>
#include <stdlib.h>

int main(int argc, char **argv)
{
    int rank, size;
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_size(MPI_COMM_WORLD, &size);

    MPI_Comm parent;
    MPI_Comm_get_parent(&parent);
    if (parent == MPI_COMM_NULL)
        MPI_Barrier(MPI_COMM_WORLD);

    printf("%d of %d\n", rank, size);
    MPI_Finalize();
    return 0;
}
