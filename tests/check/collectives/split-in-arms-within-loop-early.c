/* expects: error OMM302 */
/* In each turn another process stands aside; member 2 leaves the barrier of the others out. */
#include <mpi.h>
#include <stdio.h>

int main(int argc, char **argv)
{
    int rank, size;
    MPI_Comm own = MPI_COMM_NULL;
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_size(MPI_COMM_WORLD, &size);

    for (int aside = 0; aside < size; aside++) {
        if (rank == aside) {
            MPI_Comm_split(MPI_COMM_WORLD, MPI_UNDEFINED, rank, &own);
        } else {
            MPI_Comm_split(MPI_COMM_WORLD, 0, rank, &own);
            if (rank != 2)
                MPI_Barrier(own);
        }
        MPI_Barrier(MPI_COMM_WORLD);
    }

    printf("%d of %d\n", rank, size);
    MPI_Finalize();
    return 0;
}
