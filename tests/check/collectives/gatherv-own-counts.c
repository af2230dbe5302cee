/* expects: nothing */
/* In a gather of parts of different length the own count may differ from rank to rank. */
#include <mpi.h>
#include <stdio.h>

int main(int argc, char **argv)
{
    int own[64], all[256], count[64], at[64], n = 0;
    int rank, size;
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_size(MPI_COMM_WORLD, &size);

    for (int i = 0; i < size && i < 16; i++) {
        count[i] = i + 1;
        at[i] = n;
        n += count[i];
    }
    for (int i = 0; i <= rank; i++)
        own[i] = rank;
    MPI_Gatherv(own, rank + 1, MPI_INT, all, count, at, MPI_INT, 0, MPI_COMM_WORLD);
    if (rank == 0)
        printf("last %d of %d\n", all[n - 1], n);

    if (rank == 0)
        printf("done with %d ranks\n", size);
    MPI_Finalize();
    return 0;
}
