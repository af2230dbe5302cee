/* expects: nothing */
/* The reduction of one step is finished behind the work of the next and ends the loop. */
#include <mpi.h>
#include <stdio.h>

int main(int argc, char **argv)
{
    MPI_Request request;
    int left, sum = 1, steps = 0;
    int rank, size;
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_size(MPI_COMM_WORLD, &size);

    left = 2 * rank + 1;
    while (sum > 0) {
        int now = left > 0 ? left-- : 0;
        MPI_Iallreduce(&now, &sum, 1, MPI_INT, MPI_SUM, MPI_COMM_WORLD, &request);
        steps++;
        MPI_Wait(&request, MPI_STATUS_IGNORE);
    }
    if (rank == 0)
        printf("steps %d\n", steps);

    if (rank == 0)
        printf("done with %d ranks\n", size);
    MPI_Finalize();
    return 0;
}
