/* expects: error OMM302 */
/* Each rank looks at its own clock to end a loop with a barrier. */
#include <mpi.h>
#include <stdio.h>

int main(int argc, char **argv)
{
    double begin, start;
    int rank, size;
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_size(MPI_COMM_WORLD, &size);

    begin = MPI_Wtime();
    while (MPI_Wtime() - begin < 0.05 * rank)
        ;
    start = MPI_Wtime();
    while (MPI_Wtime() - start < 0.2)
        MPI_Barrier(MPI_COMM_WORLD);

    if (rank == 0)
        printf("done with %d ranks\n", size);
    MPI_Finalize();
    return 0;
}
