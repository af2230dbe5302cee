/* expects: nothing */
/* The master hands out jobs by messages, and a common reduction ends it. */
#include <mpi.h>
#include <stdio.h>

static void master(int workers)
{
    int next = 1, active = workers, done;
    MPI_Status s;
    for (int w = 1; w <= workers; w++, next++)
        MPI_Send(&next, 1, MPI_INT, w, 1, MPI_COMM_WORLD);
    while (active > 0) {
        int job = next <= 10 ? next++ : 0;
        MPI_Recv(&done, 1, MPI_INT, MPI_ANY_SOURCE, 2, MPI_COMM_WORLD, &s);
        MPI_Send(&job, 1, MPI_INT, s.MPI_SOURCE, 1, MPI_COMM_WORLD);
        if (job == 0)
            active--;
    }
}

static int worker(void)
{
    int job, sum = 0;
    for (;;) {
        MPI_Recv(&job, 1, MPI_INT, 0, 1, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
        if (job == 0)
            return sum;
        sum += job;
        MPI_Send(&job, 1, MPI_INT, 0, 2, MPI_COMM_WORLD);
    }
}

int main(int argc, char **argv)
{
    int mine = 0, sum = 0;
    int rank, size;
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_size(MPI_COMM_WORLD, &size);

    if (rank == 0)
        master(size - 1);
    else
        mine = worker();
    MPI_Reduce(&mine, &sum, 1, MPI_INT, MPI_SUM, 0, MPI_COMM_WORLD);
    if (rank == 0)
        printf("sum %d\n", sum);

    if (rank == 0)
        printf("done with %d ranks\n", size);
    MPI_Finalize();
    return 0;
}
