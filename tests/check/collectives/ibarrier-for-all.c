/* expects: nothing */
/* Every rank starts a non-blocking barrier, works, and waits for it. */
#include <mpi.h>
#include <stdio.h>

int main(int argc, char **argv)
{
    MPI_Request request;
    double x = 0.0;
    int rank, size;
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_size(MPI_COMM_WORLD, &size);

    MPI_Ibarrier(MPI_COMM_WORLD, &request);
    for (int i = 0; i < 1000 * (rank + 1); i++)
        x += 0.001;
    MPI_Wait(&request, MPI_STATUS_IGNORE);
    if (x < 0.0)
        printf("never\n");

    if (rank == 0)
        printf("done with %d ranks\n", size);
    MPI_Finalize();
    return 0;
}
