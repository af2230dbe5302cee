/* expects: warning OMM302 */
/* The array is the same everywhere; only the index that reads it differs. */
#include <mpi.h>
#include <stdio.h>

int main(int argc, char **argv)
{
    int odd[64];
    int rank, size;
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_size(MPI_COMM_WORLD, &size);

    for (int i = 0; i < 64; i++)
        odd[i] = i & 1;
    if (odd[rank])
        MPI_Barrier(MPI_COMM_WORLD);

    if (rank == 0)
        printf("done with %d ranks\n", size);
    MPI_Finalize();
    return 0;
}
