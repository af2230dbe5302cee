/* expects: nothing */
/* Every rank is the root once, in the same turn for all. */
#include <mpi.h>
#include <stdio.h>

int main(int argc, char **argv)
{
    int row[4], sum = 0;
    int rank, size;
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_size(MPI_COMM_WORLD, &size);

    for (int root = 0; root < size; root++) {
        for (int i = 0; i < 4; i++)
            row[i] = rank == root ? root + i : 0;
        MPI_Bcast(row, 4, MPI_INT, root, MPI_COMM_WORLD);
        sum += row[3];
    }
    if (rank == 0)
        printf("sum %d\n", sum);

    if (rank == 0)
        printf("done with %d ranks\n", size);
    MPI_Finalize();
    return 0;
}
