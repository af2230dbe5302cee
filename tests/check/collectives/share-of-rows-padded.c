/* expects: nothing */
/* Every rank loops to the largest share, and those that have no row left contribute zero. */
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

    int mine = rows / size + (rank < rows % size), most = 0;
    MPI_Allreduce(&mine, &most, 1, MPI_INT, MPI_MAX, MPI_COMM_WORLD);
    for (int i = 0; i < most; i++) {
        double x = i < mine ? 1.0 : 0.0, row = 0.0;
        MPI_Allreduce(&x, &row, 1, MPI_DOUBLE, MPI_SUM, MPI_COMM_WORLD);
        sum += row;
    }
    if (rank == 0)
        printf("rows %.0f\n", sum);

    if (rank == 0)
        printf("done with %d ranks\n", size);
    MPI_Finalize();
    return 0;
}
