/* expects: nothing */
/* A library works on a duplicate of its own, between the collectives of its user. */
#include <mpi.h>
#include <stdio.h>

static MPI_Comm library;

static void library_start(MPI_Comm user)
{
    MPI_Comm_dup(user, &library);
}

static int library_sum(int v)
{
    int sum = 0;
    MPI_Allreduce(&v, &sum, 1, MPI_INT, MPI_SUM, library);
    return sum;
}

static void library_end(void)
{
    MPI_Comm_free(&library);
}

int main(int argc, char **argv)
{
    int rank, size;
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_size(MPI_COMM_WORLD, &size);

    library_start(MPI_COMM_WORLD);
    int sum = library_sum(rank + 1);
    MPI_Barrier(MPI_COMM_WORLD);
    sum += library_sum(1);
    library_end();
    if (rank == 0)
        printf("sum %d\n", sum);

    if (rank == 0)
        printf("done with %d ranks\n", size);
    MPI_Finalize();
    return 0;
}
