/* expects: error OMM302 */
/* The rank sits in a file-scope variable that another function tests. */
#include <mpi.h>
#include <stdio.h>

static int my_rank, my_size;

static void start(int *argc, char ***argv)
{
    MPI_Init(argc, argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &my_rank);
    MPI_Comm_size(MPI_COMM_WORLD, &my_size);
}

static void phase(void)
{
    if (my_rank < my_size - 1)
        MPI_Barrier(MPI_COMM_WORLD);
}

int main(int argc, char **argv)
{
    start(&argc, &argv);
    phase();
    if (my_rank == 0)
        printf("done with %d ranks\n", my_size);
    MPI_Finalize();
    return 0;
}
