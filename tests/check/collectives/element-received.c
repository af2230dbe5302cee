/* expects: warning OMM302 */
/* A message fills the array: what others send may be one value for all. */
#include <mpi.h>
#include <stdio.h>

int main(int argc, char **argv)
{
    int rank, size;
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_size(MPI_COMM_WORLD, &size);

    int got[2] = {7, 7};
    MPI_Status status;
    if (rank == 0)
        for (int to = 1; to < size; to++) {
            int sent[2] = {to, to};
            MPI_Send(sent, 2, MPI_INT, to, 0, MPI_COMM_WORLD);
        }
    else
        MPI_Recv(got, 2, MPI_INT, 0, 0, MPI_COMM_WORLD, &status);
    if (got[1] == 1)
        MPI_Barrier(MPI_COMM_WORLD);

    printf("%d of %d\n", rank, size);
    MPI_Finalize();
    return 0;
}
