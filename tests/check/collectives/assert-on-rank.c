/* expects: nothing */
/* A failing assertion would abort, so the branch it hides needs no partner. */
#include <mpi.h>
#include <stdio.h>
#include <assert.h>

int main(int argc, char **argv)
{
    int n;
    int rank, size;
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_size(MPI_COMM_WORLD, &size);

    n = 10 + rank;
    assert(rank >= 0 && rank < size);
    MPI_Bcast(&n, 1, MPI_INT, 0, MPI_COMM_WORLD);
    assert(n == 10);
    MPI_Barrier(MPI_COMM_WORLD);

    if (rank == 0)
        printf("done with %d ranks\n", size);
    MPI_Finalize();
    return 0;
}
