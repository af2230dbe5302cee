/* expects: nothing */
/* The rank is computed with and printed a lot, but no branch with a collective asks for it. */
#include <mpi.h>
#include <stdio.h>

int main(int argc, char **argv)
{
    char name[64];
    int sum = 0;
    int rank, size;
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_size(MPI_COMM_WORLD, &size);

    snprintf(name, sizeof name, "out.%d.txt", rank);
    if (rank == 0)
        printf("files like %s\n", name);
    for (int i = 0; i < 3; i++) {
        int v = rank * i + (rank ? 1 : 2);
        MPI_Allreduce(&v, &sum, 1, MPI_INT, MPI_SUM, MPI_COMM_WORLD);
        if (rank == 0)
            printf("step %d: %d\n", i, sum);
        else if (sum < 0)
            printf("rank %d saw an overflow\n", rank);
    }

    if (rank == 0)
        printf("done with %d ranks\n", size);
    MPI_Finalize();
    return 0;
}
