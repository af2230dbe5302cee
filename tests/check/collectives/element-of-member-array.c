/* expects: nothing */
/* An array in a struct: the rank is in one element, the condition asks for another one. */
#include <mpi.h>
#include <stdio.h>

int main(int argc, char **argv)
{
    int rank, size;
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_size(MPI_COMM_WORLD, &size);

    struct { double x; int at[3]; } grid;
    grid.x = 0.5;
    grid.at[0] = rank;
    grid.at[1] = 3;
    grid.at[2] = rank * 2;
    if (grid.at[1] > 2)
        MPI_Barrier(MPI_COMM_WORLD);

    printf("%d of %d\n", rank, size);
    MPI_Finalize();
    return 0;
}
