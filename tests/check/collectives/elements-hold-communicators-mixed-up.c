/* expects: error OMM302 */
/* The duplicate is used where the half was meant. */
#include <mpi.h>
#include <stdio.h>

int main(int argc, char **argv)
{
    int rank, size;
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_size(MPI_COMM_WORLD, &size);

    MPI_Comm comms[2];
    MPI_Comm_split(MPI_COMM_WORLD, rank % 2, rank, &comms[0]);
    MPI_Comm_dup(MPI_COMM_WORLD, &comms[1]);
    if (rank % 2)
        MPI_Barrier(comms[1]);
    MPI_Comm_free(&comms[0]);
    MPI_Comm_free(&comms[1]);

    printf("%d of %d\n", rank, size);
    MPI_Finalize();
    return 0;
}
