/* expects: error OMM302 */
/* The right side of && is a call with a reduction, which rank 0 never evaluates. */
#include <mpi.h>
#include <stdio.h>

static int all_agree(int mine)
{
    int all = 0;
    MPI_Allreduce(&mine, &all, 1, MPI_INT, MPI_LAND, MPI_COMM_WORLD);
    return all;
}

int main(int argc, char **argv)
{
    int ready = 0;
    int rank, size;
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_size(MPI_COMM_WORLD, &size);

    if (rank > 0 && all_agree(1))
        ready = 1;
    if (ready)
        printf("ready\n");

    if (rank == 0)
        printf("done with %d ranks\n", size);
    MPI_Finalize();
    return 0;
}
