/* expects: nothing */
/* Each case of a switch on the rank holds one broadcast with the same root. */
#include <mpi.h>
#include <stdio.h>

int main(int argc, char **argv)
{
    int root_value = 42, mine = 0;
    int rank, size;
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_size(MPI_COMM_WORLD, &size);

    switch (rank) {
    case 0:
        MPI_Bcast(&root_value, 1, MPI_INT, 0, MPI_COMM_WORLD);
        break;
    case 1:
        MPI_Bcast(&mine, 1, MPI_INT, 0, MPI_COMM_WORLD);
        mine++;
        break;
    default:
        MPI_Bcast(&mine, 1, MPI_INT, 0, MPI_COMM_WORLD);
        break;
    }

    if (rank == 0)
        printf("done with %d ranks\n", size);
    MPI_Finalize();
    return 0;
}
