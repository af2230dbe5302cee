/* expects: error OMM302 */
/* The struct with the rank in it is assigned to another one, which is tested. */
#include <mpi.h>
#include <stdio.h>

struct place {
    int row;
    int column;
};

int main(int argc, char **argv)
{
    struct place a, b;
    int rank, size;
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_size(MPI_COMM_WORLD, &size);

    a.row = rank;
    a.column = 0;
    b = a;
    if (b.row == 1)
        MPI_Barrier(MPI_COMM_WORLD);

    if (rank == 0)
        printf("done with %d ranks\n", size);
    MPI_Finalize();
    return 0;
}
