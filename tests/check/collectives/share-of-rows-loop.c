/* expects: error OMM302 */
/* Ten rows over three ranks: rank 0 has one row more and makes one reduction more. */
#include <mpi.h>
#include <stdio.h>

int main(int argc, char **argv)
{
    const int rows = 10;
    double sum = 0.0;
    int rank, size;
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_size(MPI_COMM_WORLD, &size);

    int mine = rows / size + (rank < rows % size);
    for (int i = 0; i < mine; i++) {
        double x = i + rank, row = 0.0;
        MPI_Allreduce(&x, &row, 1, MPI_DOUBLE, MPI_SUM, MPI_COMM_WORLD);
        sum += row;
    }
    if (rank == 0)
        printf("sum %.1f\n", sum);

    if (rank == 0)
        printf("done with %d ranks\n", size);
    MPI_Finalize();
    return 0;
}
