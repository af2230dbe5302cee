/* expects: error OMM302 */
/* A loop writes all elements, the constant one among them. */
#include <mpi.h>
#include <stdio.h>

int main(int argc, char **argv)
{
    int rank, size;
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_size(MPI_COMM_WORLD, &size);

    int flags[4];
    flags[2] = 1;
    for (int i = 0; i < 4; i++)
        flags[i] = rank + i;
    if (flags[2] == 2)
        MPI_Barrier(MPI_COMM_WORLD);

    printf("%d of %d\n", rank, size);
    MPI_Finalize();
    return 0;
}
