/* expects: error OMM302 */
/* An array is copied; the copy holds the rank where the array did. */
#include <mpi.h>
#include <stdio.h>

int main(int argc, char **argv)
{
    int rank, size;
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_size(MPI_COMM_WORLD, &size);

    int from[2] = {1, rank}, to[2] = {0, 0};
    __builtin_memcpy(to, from, sizeof from);
    if (to[1])
        MPI_Barrier(MPI_COMM_WORLD);

    printf("%d of %d\n", rank, size);
    MPI_Finalize();
    return 0;
}
