/* expects: error OMM302 */
/* Rank 0 jumps over the broadcast of which it is the root. */
#include <mpi.h>
#include <stdio.h>

int main(int argc, char **argv)
{
    int n = 5;
    int rank, size;
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_size(MPI_COMM_WORLD, &size);

    if (rank == 0)
        goto out;
    MPI_Bcast(&n, 1, MPI_INT, 0, MPI_COMM_WORLD);
    n++;

out:
    if (rank == 0)
        printf("done with %d ranks\n", size);
    MPI_Finalize();
    return 0;
}
