/* expects: nothing */
/* The first rank alone has a parallel region with barriers: those are its own team's. */
#include <mpi.h>
#include <stdio.h>

int main(int argc, char **argv)
{
    int n = 0, sum = 0;
    int rank, size;
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_size(MPI_COMM_WORLD, &size);

    if (rank == 0) {
#pragma omp parallel shared(n)
        {
#pragma omp for reduction(+ : n)
            for (int i = 0; i < 8; i++)
                n++;
#pragma omp barrier
        }
    }
    MPI_Reduce(&n, &sum, 1, MPI_INT, MPI_SUM, 0, MPI_COMM_WORLD);
    if (rank == 0)
        printf("sum %d\n", sum);

    if (rank == 0)
        printf("done with %d ranks\n", size);
    MPI_Finalize();
    return 0;
}
