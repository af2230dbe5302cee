/* expects: error OMM302 */
/* Each branch makes two copies of the communicator; the barriers on them are not in one order. */
#include <mpi.h>
#include <stdio.h>

int main(int argc, char **argv)
{
    int rank;
    MPI_Comm a, b, c, d;
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    if (rank == 0) {
        MPI_Comm_dup(MPI_COMM_WORLD, &a);
        MPI_Comm_dup(MPI_COMM_WORLD, &b);
        MPI_Barrier(a);
        MPI_Barrier(b);
    } else {
        MPI_Comm_dup(MPI_COMM_WORLD, &c);
        MPI_Comm_dup(MPI_COMM_WORLD, &d);
        MPI_Barrier(d);
        MPI_Barrier(c);
    }
    printf("done\n");
    MPI_Finalize();
    return 0;
}
