/* expects: error OMM302 */
/* A function sets the element that the condition asks for. */
#include <mpi.h>
#include <stdio.h>

static void set(int *option, int value)
{
    *option = value;
}

int main(int argc, char **argv)
{
    int rank, size;
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_size(MPI_COMM_WORLD, &size);

    int options[2] = {1, 0};
    set(&options[0], rank);
    if (options[0])
        MPI_Barrier(MPI_COMM_WORLD);

    printf("%d of %d\n", rank, size);
    MPI_Finalize();
    return 0;
}
