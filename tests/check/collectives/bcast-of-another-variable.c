/* expects: error OMM302 */
/* A broadcast makes n common, but the test asks for m. */
#include <mpi.h>
#include <stdio.h>

int main(int argc, char **argv)
{
    int n, m;
    int rank, size;
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_size(MPI_COMM_WORLD, &size);

    n = rank;
    m = rank;
    MPI_Bcast(&n, 1, MPI_INT, 0, MPI_COMM_WORLD);
    if (m + n > 1)
        MPI_Barrier(MPI_COMM_WORLD);

    if (rank == 0)
        printf("done with %d ranks\n", size);
    MPI_Finalize();
    return 0;
}
