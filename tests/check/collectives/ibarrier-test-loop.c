/* expects: nothing */
/* How often a rank tests its barrier differs, but MPI_Test is no collective. */
#include <mpi.h>
#include <stdio.h>

int main(int argc, char **argv)
{
    MPI_Request request;
    int flag = 0;
    long polls = 0;
    int rank, size;
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_size(MPI_COMM_WORLD, &size);

    MPI_Ibarrier(MPI_COMM_WORLD, &request);
    while (!flag) {
        polls++;
        MPI_Test(&request, &flag, MPI_STATUS_IGNORE);
    }
    if (polls > 0 && rank == 0)
        printf("barrier complete\n");

    if (rank == 0)
        printf("done with %d ranks\n", size);
    MPI_Finalize();
    return 0;
}
