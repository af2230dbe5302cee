/* expects: nothing */
/* Operator, datatype and count are variables computed from what all ranks know alike. */
#include <mpi.h>
#include <stdio.h>

int main(int argc, char **argv)
{
    double x[8], y[8];
    MPI_Op op;
    MPI_Datatype type = MPI_DOUBLE;
    int n;
    int rank, size;
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_size(MPI_COMM_WORLD, &size);

    n = size < 8 ? size : 8;
    op = size % 2 ? MPI_SUM : MPI_MAX;
    for (int i = 0; i < 8; i++)
        x[i] = rank + i;
    MPI_Allreduce(x, y, n, type, op, MPI_COMM_WORLD);
    if (rank == 0)
        printf("y %.1f\n", y[0]);

    if (rank == 0)
        printf("done with %d ranks\n", size);
    MPI_Finalize();
    return 0;
}
