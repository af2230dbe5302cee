/* expects: error OMM302 */
/* A later store to another element does not wash the rank out of the first one. */
#include <mpi.h>
#include <stdio.h>

int main(int argc, char **argv)
{
    int a[2];
    int rank, size;
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_size(MPI_COMM_WORLD, &size);

    a[0] = rank;
    a[1] = 5;
    if (a[0] > 0)
        MPI_Barrier(MPI_COMM_WORLD);

    if (rank == 0)
        printf("done with %d ranks\n", size);
    MPI_Finalize();
    return 0;
}
