/* expects: error OMM302 */
/* The switch knows ranks 0 and 1 only. */
#include <mpi.h>
#include <stdio.h>

int main(int argc, char **argv)
{
    int in = 1, out = 0;
    int rank, size;
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_size(MPI_COMM_WORLD, &size);

    switch (rank) {
    case 0:
        in = 10;
        MPI_Allreduce(&in, &out, 1, MPI_INT, MPI_SUM, MPI_COMM_WORLD);
        break;
    case 1:
        in = 20;
        MPI_Allreduce(&in, &out, 1, MPI_INT, MPI_SUM, MPI_COMM_WORLD);
        break;
    }

    if (rank == 0)
        printf("done with %d ranks\n", size);
    MPI_Finalize();
    return 0;
}
