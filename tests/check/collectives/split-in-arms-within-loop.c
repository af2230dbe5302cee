/* expects: nothing */
/* In each turn another process stands aside, while the others become members and meet. */
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
            MPI_Barrier(own);
            MPI_Comm_free(&own);
        }
        MPI_Barrier(MPI_COMM_WORLD);
    }

    printf("%d of %d\n", rank, size);
    MPI_Finalize();
    return 0;
}
