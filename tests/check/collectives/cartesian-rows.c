/* expects: nothing */
/* Each row of a grid reduces on its own communicator; the root of each row prints nothing. */
#include <mpi.h>
#include <stdio.h>

int main(int argc, char **argv)
{
    MPI_Comm grid, row;
    int dims[2] = {0, 0}, periods[2] = {0, 0}, keep[2] = {0, 1}, v = 1, sum = 0;
    int rank, size;
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_size(MPI_COMM_WORLD, &size);

    MPI_Dims_create(size, 2, dims);
    MPI_Cart_create(MPI_COMM_WORLD, 2, dims, periods, 0, &grid);
    MPI_Cart_sub(grid, keep, &row);
    MPI_Allreduce(&v, &sum, 1, MPI_INT, MPI_SUM, row);
    MPI_Comm_free(&row);
    MPI_Comm_free(&grid);
    if (rank == 0)
        printf("row of %d\n", sum);

    if (rank == 0)
        printf("done with %d ranks\n", size);
    MPI_Finalize();
    return 0;
}
