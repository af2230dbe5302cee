/* expects: error OMM302 */
/* The condition takes rank 0 out of a part to which rank 2 belongs, too. */
#include <mpi.h>
#include <stdio.h>

int main(int argc, char **argv)
{
    MPI_Comm part;
    int rank, size;
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_size(MPI_COMM_WORLD, &size);

    MPI_Comm_split(MPI_COMM_WORLD, rank % 2, 0, &part);
    if (rank == 0)
        MPI_Barrier(part);
    MPI_Comm_free(&part);

    if (rank == 0)
        printf("done with %d ranks\n", size);
    MPI_Finalize();
    return 0;
}
