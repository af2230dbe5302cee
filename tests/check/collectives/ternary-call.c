/* expects: error OMM302 */
/* The call stands in one arm of a conditional expression on the rank. */
#include <mpi.h>
#include <stdio.h>

int main(int argc, char **argv)
{
    int rc;
    int rank, size;
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_size(MPI_COMM_WORLD, &size);

    rc = rank == 0 ? MPI_SUCCESS : MPI_Barrier(MPI_COMM_WORLD);
    if (rc != MPI_SUCCESS)
        MPI_Abort(MPI_COMM_WORLD, rc);

    if (rank == 0)
        printf("done with %d ranks\n", size);
    MPI_Finalize();
    return 0;
}
