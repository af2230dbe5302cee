/* expects: nothing */
/* A request is no other one for being about what differs; what a call of MPI returns is an error code. */
#include <mpi.h>
#include <stdio.h>

int main(int argc, char **argv)
{
    int rank, size, got = 0;
    if (MPI_Init(&argc, &argv) != MPI_SUCCESS)
        return 1;
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_size(MPI_COMM_WORLD, &size);
    MPI_Request request = MPI_REQUEST_NULL;
    if (MPI_Isend(&rank, 1, MPI_INT, (rank + 1) % size, 7, MPI_COMM_WORLD, &request) != MPI_SUCCESS)
        return 1;
    MPI_Recv(&got, 1, MPI_INT, (rank + size - 1) % size, 7, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
    if (request != MPI_REQUEST_NULL)
        MPI_Barrier(MPI_COMM_WORLD);
    MPI_Wait(&request, MPI_STATUS_IGNORE);
    if (rank == 0)
        printf("got %d\n", got);
    MPI_Finalize();
    return 0;
}
