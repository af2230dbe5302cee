/* expects: nothing */
/* Both branches call the split, with other colours and then other work on their parts. */
#include <mpi.h>
#include <stdio.h>

int main(int argc, char **argv)
{
    MPI_Comm part;
    int n = 3;
    int rank, size;
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_size(MPI_COMM_WORLD, &size);

    if (rank == 0) {
        MPI_Comm_split(MPI_COMM_WORLD, 0, 0, &part);
    } else {
        MPI_Comm_split(MPI_COMM_WORLD, 1, rank, &part);
    }
    MPI_Bcast(&n, 1, MPI_INT, 0, part);
    MPI_Comm_free(&part);

    if (rank == 0)
        printf("done with %d ranks\n", size);
    MPI_Finalize();
    return 0;
}
