/* expects: error OMM302 */
/* In the branch of one colour the barrier is on the world instead of the part. */
#include <mpi.h>
#include <stdio.h>

int main(int argc, char **argv)
{
    MPI_Comm part;
    int color;
    int rank, size;
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_size(MPI_COMM_WORLD, &size);

    color = rank % 2;
    MPI_Comm_split(MPI_COMM_WORLD, color, rank, &part);
    if (color == 1)
        MPI_Barrier(MPI_COMM_WORLD);
    else
        MPI_Barrier(part);
    MPI_Comm_free(&part);

    if (rank == 0)
        printf("done with %d ranks\n", size);
    MPI_Finalize();
    return 0;
}
