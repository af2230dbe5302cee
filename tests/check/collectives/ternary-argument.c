/* expects: nothing */
/* The conditional expression picks only the buffer; the call is common. */
#include <mpi.h>
#include <stdio.h>

int main(int argc, char **argv)
{
    int source = 11, sink = 0;
    int rank, size;
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_size(MPI_COMM_WORLD, &size);

    MPI_Bcast(rank == 0 ? &source : &sink, 1, MPI_INT, 0, MPI_COMM_WORLD);

    if (rank == 0)
        printf("done with %d ranks\n", size);
    MPI_Finalize();
    return 0;
}
