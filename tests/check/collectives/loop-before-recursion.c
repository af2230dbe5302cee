/* expects: nothing */
/* Between the split and the recursion the members of the part go through a loop that has nothing to do with others. */
#include <mpi.h>
#include <stdio.h>

static void down(int left, int rank, MPI_Comm comm)
{
    MPI_Comm part;
    int sum = 0;
    if (left <= 0)
        return;
    MPI_Comm_split(comm, rank > 0 ? 1 : MPI_UNDEFINED, rank, &part);
    if (part != MPI_COMM_NULL)
        for (int i = 0; i < left; i++)
            sum += i;
    down(left - 1, rank, comm);
}

int main(int argc, char **argv)
{
    int rank, size;
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_size(MPI_COMM_WORLD, &size);
    down(size, rank, MPI_COMM_WORLD);
    if (rank == 0)
        printf("done with %d ranks\n", size);
    MPI_Finalize();
    return 0;
}
