/* expects: error OMM302 */
/* The coordinate in the grid is another name for the rank. */
#include <mpi.h>
#include <stdio.h>

int main(int argc, char **argv)
{
    MPI_Comm line;
    int dims[1], periods[1] = {0}, at[1];
    int rank, size;
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_size(MPI_COMM_WORLD, &size);

    dims[0] = size;
    MPI_Cart_create(MPI_COMM_WORLD, 1, dims, periods, 0, &line);
    MPI_Cart_coords(line, rank, 1, at);
    if (at[0] > 0)
        MPI_Barrier(line);
    MPI_Comm_free(&line);

    if (rank == 0)
        printf("done with %d ranks\n", size);
    MPI_Finalize();
    return 0;
}
