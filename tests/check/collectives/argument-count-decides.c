/* expects: nothing */
/* The argument count of the program is the same in every rank. */
#include <mpi.h>
#include <stdio.h>

int main(int argc, char **argv)
{
    int v = 1, sum = 0;
    int rank, size;
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_size(MPI_COMM_WORLD, &size);

    if (argc > 1)
        MPI_Barrier(MPI_COMM_WORLD);
    for (int i = 0; i < argc; i++)
        MPI_Allreduce(&v, &sum, 1, MPI_INT, MPI_SUM, MPI_COMM_WORLD);

    if (rank == 0)
        printf("done with %d ranks\n", size);
    MPI_Finalize();
    return 0;
}
