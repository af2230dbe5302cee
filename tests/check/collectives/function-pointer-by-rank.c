/* expects: error OMM302 */
/* The rank chooses a function pointer, and only one of the two functions has a barrier. */
#include <mpi.h>
#include <stdio.h>

static void foo(void)
{
    MPI_Barrier(MPI_COMM_WORLD);
}

static void bar(void)
{
}

int main(int argc, char **argv)
{
    void (*p)(void);
    int rank, size;
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_size(MPI_COMM_WORLD, &size);

    if (rank)
        p = foo;
    else
        p = bar;
    p();

    if (rank == 0)
        printf("done with %d ranks\n", size);
    MPI_Finalize();
    return 0;
}
