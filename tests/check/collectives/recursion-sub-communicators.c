/* expects: nothing */
/* Each level splits its communicator in halves and goes on with the own half. */
#include <mpi.h>
#include <stdio.h>

static int depth(MPI_Comm c)
{
    int r, n, d;
    MPI_Comm half;
    MPI_Comm_rank(c, &r);
    MPI_Comm_size(c, &n);
    if (n == 1)
        return 0;
    MPI_Comm_split(c, r < n / 2, r, &half);
    d = depth(half);
    MPI_Comm_free(&half);
    return d + 1;
}

int main(int argc, char **argv)
{
    int rank, size;
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_size(MPI_COMM_WORLD, &size);

    int d = depth(MPI_COMM_WORLD), most = 0;
    MPI_Reduce(&d, &most, 1, MPI_INT, MPI_MAX, 0, MPI_COMM_WORLD);
    if (rank == 0)
        printf("depth %d\n", most);

    if (rank == 0)
        printf("done with %d ranks\n", size);
    MPI_Finalize();
    return 0;
}
