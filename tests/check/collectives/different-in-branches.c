/* expects: error OMM302 */
/* Odd ranks broadcast while even ranks reduce: one collective on each side, but not the same. */
#include <mpi.h>
#include <stdio.h>

int main(int argc, char **argv)
{
    int a = 0, b = 0;
    int rank, size;
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_size(MPI_COMM_WORLD, &size);

    if (rank % 2)
        MPI_Bcast(&a, 1, MPI_INT, 0, MPI_COMM_WORLD);
    else
        MPI_Allreduce(&a, &b, 1, MPI_INT, MPI_SUM, MPI_COMM_WORLD);

    if (rank == 0)
        printf("done with %d ranks\n", size);
    MPI_Finalize();
    return 0;
}
