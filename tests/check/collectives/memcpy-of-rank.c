/* expects: error OMM302 */
/* The rank travels into another variable through memcpy. */
#include <mpi.h>
#include <stdio.h>
#include <string.h>

int main(int argc, char **argv)
{
    char packed[sizeof(int)];
    int copy;
    int rank, size;
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_size(MPI_COMM_WORLD, &size);

    memcpy(packed, &rank, sizeof rank);
    memcpy(&copy, packed, sizeof copy);
    if (copy == 0)
        MPI_Barrier(MPI_COMM_WORLD);

    if (rank == 0)
        printf("done with %d ranks\n", size);
    MPI_Finalize();
    return 0;
}
