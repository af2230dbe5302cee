/* expects: nothing */
/* A local failure becomes common knowledge before all ranks take the exit together. */
#include <mpi.h>
#include <stdio.h>

int main(int argc, char **argv)
{
    int bad, any = 0;
    int rank, size;
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_size(MPI_COMM_WORLD, &size);

    bad = rank == 1;
    MPI_Allreduce(&bad, &any, 1, MPI_INT, MPI_MAX, MPI_COMM_WORLD);
    if (any) {
        if (bad)
            printf("rank %d failed\n", rank);
        MPI_Finalize();
        return 0;
    }
    MPI_Barrier(MPI_COMM_WORLD);

    if (rank == 0)
        printf("done with %d ranks\n", size);
    MPI_Finalize();
    return 0;
}
