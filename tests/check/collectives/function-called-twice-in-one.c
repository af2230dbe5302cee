/* expects: error OMM302 */
/* Both branches call the same function, one of them twice. */
#include <mpi.h>
#include <stdio.h>

static int everyone(int mine)
{
    int sum = 0;
    MPI_Allreduce(&mine, &sum, 1, MPI_INT, MPI_SUM, MPI_COMM_WORLD);
    return sum;
}

int main(int argc, char **argv)
{
    int sum;
    int rank, size;
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_size(MPI_COMM_WORLD, &size);

    if (rank == 0)
        sum = everyone(everyone(1));
    else
        sum = everyone(1);
    if (rank == 0)
        printf("sum %d\n", sum);

    if (rank == 0)
        printf("done with %d ranks\n", size);
    MPI_Finalize();
    return 0;
}
