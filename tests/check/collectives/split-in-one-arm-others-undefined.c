/* expects: nothing */
/* One arm becomes members and meets, the other arm gives no colour. */
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
        MPI_Barrier(own);
        MPI_Comm_free(&own);
    } else {
        MPI_Comm_split(MPI_COMM_WORLD, MPI_UNDEFINED, rank, &own);
    }

    printf("%d of %d\n", rank, size);
    MPI_Finalize();
    return 0;
}
