/* expects: error OMM302 */
/* The master waits in a barrier behind the last job, which no worker knows about. */
#include <mpi.h>
#include <stdio.h>

static void master(int workers)
{
    int stop = 0;
    for (int job = 1; job <= 3; job++) {
        for (int w = 1; w <= workers; w++)
            MPI_Send(&job, 1, MPI_INT, w, 1, MPI_COMM_WORLD);
    }
    for (int w = 1; w <= workers; w++)
        MPI_Send(&stop, 1, MPI_INT, w, 1, MPI_COMM_WORLD);
    MPI_Barrier(MPI_COMM_WORLD);
}

static int worker(void)
{
    int job, sum = 0;
    do {
        MPI_Recv(&job, 1, MPI_INT, 0, 1, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
        sum += job;
    } while (job != 0);
    return sum;
}

int main(int argc, char **argv)
{
    int mine = 0;
    int rank, size;
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_size(MPI_COMM_WORLD, &size);

    if (rank == 0)
        master(size - 1);
    else
        mine = worker();
    if (mine > 0 && rank == 1)
        printf("worked %d\n", mine);

    if (rank == 0)
        printf("done with %d ranks\n", size);
    MPI_Finalize();
    return 0;
}
