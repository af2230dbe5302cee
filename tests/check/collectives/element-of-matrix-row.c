/* expects: nothing */
/* A matrix: the rank is in one of its rows. */
#include <mpi.h>
#include <stdio.h>

int main(int argc, char **argv)
{
    int rank, size;
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_size(MPI_COMM_WORLD, &size);

    int m[2][2];
    m[0][0] = size;
    m[0][1] = 2;
    m[1][0] = rank;
    m[1][1] = rank;
    if (m[0][1] == 2)
        MPI_Barrier(MPI_COMM_WORLD);

    printf("%d of %d\n", rank, size);
    MPI_Finalize();
    return 0;
}
