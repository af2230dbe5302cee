/* expects: warning OMM302 */
/* The sender of a message from anyone differs from rank to rank in a ring. */
#include <mpi.h>
#include <stdio.h>

int main(int argc, char **argv)
{
    MPI_Status status;
    int token, got;
    int rank, size;
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_size(MPI_COMM_WORLD, &size);

    token = rank;
    MPI_Sendrecv(&token, 1, MPI_INT, (rank + 1) % size, 1, &got, 1, MPI_INT, MPI_ANY_SOURCE, 1,
                 MPI_COMM_WORLD, &status);
    if (status.MPI_SOURCE == 0)
        MPI_Barrier(MPI_COMM_WORLD);

    if (rank == 0)
        printf("done with %d ranks\n", size);
    MPI_Finalize();
    return 0;
}
