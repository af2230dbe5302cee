/* expects: error OMM302 */
/* A missing break lets rank 0 run into the second barrier. */
#include <mpi.h>
#include <stdio.h>

int main(int argc, char **argv)
{
    int roles = 0;
    int rank, size;
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_size(MPI_COMM_WORLD, &size);

    switch (rank) {
    case 0:
        roles++;
        MPI_Barrier(MPI_COMM_WORLD);
        /* fall through */
    case 1:
        roles++;
        MPI_Barrier(MPI_COMM_WORLD);
        break;
    default:
        MPI_Barrier(MPI_COMM_WORLD);
        break;
    }

    if (rank == 0)
        printf("done with %d ranks\n", size);
    MPI_Finalize();
    return 0;
}
