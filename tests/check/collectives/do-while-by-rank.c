/* expects: error OMM302 */
/* A do-while loop reduces once at least, and then as often as the rank says. */
#include <mpi.h>
#include <stdio.h>

int main(int argc, char **argv)
{
    int left, total = 0;
    int rank, size;
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_size(MPI_COMM_WORLD, &size);

    left = rank;
    do {
        MPI_Allreduce(&left, &total, 1, MPI_INT, MPI_SUM, MPI_COMM_WORLD);
        left--;
    } while (left > 0);

    if (rank == 0)
        printf("done with %d ranks\n", size);
    MPI_Finalize();
    return 0;
}
