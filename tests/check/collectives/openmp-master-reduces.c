/* expects: nothing */
/* The master thread of each rank's team calls the reduction, between two OpenMP barriers. */
#include <mpi.h>
#include <stdio.h>

int main(int argc, char **argv)
{
    int local = 0, all = 0, provided;
    int rank, size;
    MPI_Init_thread(&argc, &argv, MPI_THREAD_FUNNELED, &provided);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_size(MPI_COMM_WORLD, &size);

#pragma omp parallel shared(local, all)
    {
#pragma omp for reduction(+ : local)
        for (int i = 0; i < 10; i++)
            local++;
#pragma omp master
        MPI_Allreduce(&local, &all, 1, MPI_INT, MPI_SUM, MPI_COMM_WORLD);
#pragma omp barrier
        if (all > 0) {
#pragma omp barrier
        }
    }
    if (rank == 0)
        printf("all %d\n", all);

    if (rank == 0)
        printf("done with %d ranks\n", size);
    MPI_Finalize();
    return 0;
}
