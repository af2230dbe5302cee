/* expects: error OMM302 */
/* The flag gets constants only; which one of them is up to a branch on the rank. */
#include <mpi.h>
#include <stdio.h>

int main(int argc, char **argv)
{
    int verbose = 0;
    int rank, size;
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_size(MPI_COMM_WORLD, &size);

    if (rank == 0)
        verbose = 1;
    if (verbose) {
        printf("root is verbose\n");
        MPI_Barrier(MPI_COMM_WORLD);
    }

    if (rank == 0)
        printf("done with %d ranks\n", size);
    MPI_Finalize();
    return 0;
}
