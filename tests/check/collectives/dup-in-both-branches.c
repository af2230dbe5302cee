/* expects: nothing */
/* Each branch makes a copy of the communicator, uses it and frees it. */
#include <mpi.h>
#include <stdio.h>

int main(int argc, char **argv)
{
    int rank;
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    if (rank == 0) {
        MPI_Comm first;
        MPI_Comm_dup(MPI_COMM_WORLD, &first);
        MPI_Barrier(first);
        MPI_Comm_free(&first);
    } else {
        MPI_Comm second;
        MPI_Comm_dup(MPI_COMM_WORLD, &second);
        MPI_Barrier(second);
        MPI_Comm_free(&second);
    }
    printf("done\n");
    MPI_Finalize();
    return 0;
}
