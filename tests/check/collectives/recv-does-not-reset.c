/* expects: warning OMM302 */
/* The root sends each worker another amount of work. */
#include <mpi.h>
#include <stdio.h>

int main(int argc, char **argv)
{
    int work = 0;
    int rank, size;
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_size(MPI_COMM_WORLD, &size);

    if (rank == 0) {
        for (int to = 1; to < size; to++) {
            int amount = 2 * to;
            MPI_Send(&amount, 1, MPI_INT, to, 9, MPI_COMM_WORLD);
        }
    } else {
        MPI_Recv(&work, 1, MPI_INT, 0, 9, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
    }
    while (work-- > 0)
        MPI_Barrier(MPI_COMM_WORLD);

    if (rank == 0)
        printf("done with %d ranks\n", size);
    MPI_Finalize();
    return 0;
}
