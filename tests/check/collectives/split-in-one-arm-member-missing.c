/* expects: error OMM302 */
/* One arm becomes members; one of the members does not come to their barrier. */
#include <mpi.h>
#include <stdio.h>

int main(int argc, char **argv)
{
    int rank, size;
    MPI_Comm own = MPI_COMM_NULL;
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_size(MPI_COMM_WORLD, &size);

    if (rank > 0) {
        MPI_Comm_split(MPI_COMM_WORLD, 1, rank, &own);
        if (rank > 1)
            MPI_Barrier(own);
    } else {
        MPI_Comm_split(MPI_COMM_WORLD, MPI_UNDEFINED, rank, &own);
    }

    printf("%d of %d\n", rank, size);
    MPI_Finalize();
    return 0;
}
