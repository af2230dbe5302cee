/* expects: nothing */
/* Each rank sums the gathered table in its own loop; the sums agree. */
#include <mpi.h>
#include <stdio.h>

int main(int argc, char **argv)
{
    int count[64], at[64], all[256] = {0}, own[4] = {1, 2, 3, 4}, sum = 0, n = 0;
    int rank, size;
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_size(MPI_COMM_WORLD, &size);

    for (int i = 0; i < size && i < 64; i++) {
        count[i] = i % 3 + 1;
        at[i] = n;
        n += count[i];
    }
    MPI_Allgatherv(own, rank % 3 + 1, MPI_INT, all, count, at, MPI_INT, MPI_COMM_WORLD);
    for (int i = 0; i < n; i++)
        sum += all[i];
    while (sum > 0) {
        MPI_Barrier(MPI_COMM_WORLD);
        sum -= 5;
    }

    if (rank == 0)
        printf("done with %d ranks\n", size);
    MPI_Finalize();
    return 0;
}
