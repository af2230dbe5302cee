/* expects: nothing */
/* Rank and size sit in file-scope variables, and only the size is tested. */
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
    if (my_size > 2)
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
