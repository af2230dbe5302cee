/* expects: error OMM302 */
/* The wrapper itself asks for the rank and skips its barrier on the last one. */
#include <mpi.h>
#include <stdio.h>

static void phase_end(const char *name)
{
    int r, n;
    MPI_Comm_rank(MPI_COMM_WORLD, &r);
    MPI_Comm_size(MPI_COMM_WORLD, &n);
    if (r == 0)
        printf("end of %s\n", name);
    if (r < n - 1)
        MPI_Barrier(MPI_COMM_WORLD);
}

int main(int argc, char **argv)
{
    int rank, size;
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_size(MPI_COMM_WORLD, &size);

    phase_end("setup");
    phase_end("work");

    if (rank == 0)
        printf("done with %d ranks\n", size);
    MPI_Finalize();
    return 0;
}
