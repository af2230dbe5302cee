/* expects: nothing */
/* Ranks of a node, their leaders, and a broadcast back: three communicators, each in full. */
#include <mpi.h>
#include <stdio.h>

int main(int argc, char **argv)
{
    MPI_Comm node, leaders;
    int local, sum = 0, total = 0;
    int rank, size;
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_size(MPI_COMM_WORLD, &size);

    MPI_Comm_split_type(MPI_COMM_WORLD, MPI_COMM_TYPE_SHARED, rank, MPI_INFO_NULL, &node);
    MPI_Comm_rank(node, &local);
    MPI_Comm_split(MPI_COMM_WORLD, local == 0 ? 0 : MPI_UNDEFINED, rank, &leaders);
    MPI_Reduce(&rank, &sum, 1, MPI_INT, MPI_SUM, 0, node);
    if (local == 0) {
        MPI_Allreduce(&sum, &total, 1, MPI_INT, MPI_SUM, leaders);
        MPI_Comm_free(&leaders);
    }
    MPI_Bcast(&total, 1, MPI_INT, 0, node);
    MPI_Comm_free(&node);
    if (rank == 0)
        printf("total %d\n", total);

    if (rank == 0)
        printf("done with %d ranks\n", size);
    MPI_Finalize();
    return 0;
}
