/* expects: warning OMM302 */
/* One arm clears an element before it reads the one that a variable names. */
#include <mpi.h>
#include <stdio.h>

int main(int argc, char **argv)
{
    int rank, size;
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_size(MPI_COMM_WORLD, &size);

    int flags[2] = {0, 1}, which = size > 1;
    if (rank == 0) {
        if (flags[which])
            MPI_Barrier(MPI_COMM_WORLD);
    } else {
        flags[1] = 0;
        if (flags[which])
            MPI_Barrier(MPI_COMM_WORLD);
    }

    printf("%d of %d\n", rank, size);
    MPI_Finalize();
    return 0;
}
