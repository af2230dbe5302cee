/* expects: error OMM302 */
/* A local failure makes one rank skip the rest while the others go on. */
#include <mpi.h>
#include <stdio.h>

int main(int argc, char **argv)
{
    int bad, sum = 0;
    int rank, size;
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_size(MPI_COMM_WORLD, &size);

    bad = rank == 1;
    if (bad) {
        printf("rank %d failed\n", rank);
    } else {
        MPI_Allreduce(&rank, &sum, 1, MPI_INT, MPI_SUM, MPI_COMM_WORLD);
    }

    if (rank == 0)
        printf("done with %d ranks\n", size);
    MPI_Finalize();
    return 0;
}
