/* expects: error OMM302 */
/* Two non-blocking collectives are started in another order on rank 0. */
#include <mpi.h>
#include <stdio.h>

int main(int argc, char **argv)
{
    MPI_Request request[2];
    int n = 1, v = 2, sum = 0;
    int rank, size;
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_size(MPI_COMM_WORLD, &size);

    if (rank == 0) {
        MPI_Ibcast(&n, 1, MPI_INT, 1, MPI_COMM_WORLD, &request[0]);
        MPI_Iallreduce(&v, &sum, 1, MPI_INT, MPI_SUM, MPI_COMM_WORLD, &request[1]);
    } else {
        MPI_Iallreduce(&v, &sum, 1, MPI_INT, MPI_SUM, MPI_COMM_WORLD, &request[1]);
        MPI_Ibcast(&n, 1, MPI_INT, 1, MPI_COMM_WORLD, &request[0]);
    }
    MPI_Waitall(2, request, MPI_STATUSES_IGNORE);

    if (rank == 0)
        printf("done with %d ranks\n", size);
    MPI_Finalize();
    return 0;
}
