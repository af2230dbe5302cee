/* expects: error OMM302 */
/* The rank is stored through a pointer to a pointer. */
#include <mpi.h>
#include <stdio.h>

static void store(int **where, int value)
{
    **where = value;
}

int main(int argc, char **argv)
{
    int box = 0, *p = &box;
    int rank, size;
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_size(MPI_COMM_WORLD, &size);

    store(&p, rank);
    if (box > 0)
        MPI_Barrier(MPI_COMM_WORLD);

    if (rank == 0)
        printf("done with %d ranks\n", size);
    MPI_Finalize();
    return 0;
}
