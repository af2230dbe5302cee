/* expects: nothing */
/* Between two fences that all meet, only rank 0 puts. */
#include <mpi.h>
#include <stdio.h>

int main(int argc, char **argv)
{
    MPI_Win w;
    int box = 0, v = 5;
    int rank, size;
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_size(MPI_COMM_WORLD, &size);

    MPI_Win_create(&box, sizeof box, sizeof box, MPI_INFO_NULL, MPI_COMM_WORLD, &w);
    MPI_Win_fence(0, w);
    if (rank == 0)
        MPI_Put(&v, 1, MPI_INT, size - 1, 0, 1, MPI_INT, w);
    MPI_Win_fence(0, w);
    if (rank == size - 1)
        printf("box %d\n", box);
    MPI_Win_free(&w);

    if (rank == 0)
        printf("done with %d ranks\n", size);
    MPI_Finalize();
    return 0;
}
