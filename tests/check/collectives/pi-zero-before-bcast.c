/* expects: warning OMM302 */
/* The test for zero comes before the broadcast, so the root leaves alone. */
#include <mpi.h>
#include <stdio.h>

int main(int argc, char **argv)
{
    const int input[3] = {100, 1000, 0};
    int n = 1, at = 0;
    double local, pi = 0.0;
    int rank, size;
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_size(MPI_COMM_WORLD, &size);

    for (;;) {
        if (rank == 0)
            n = input[at++];
        if (n == 0)
            break;
        MPI_Bcast(&n, 1, MPI_INT, 0, MPI_COMM_WORLD);
        local = 0.0;
        for (int i = rank; i < n; i += size) {
            double x = (i + 0.5) / n;
            local += 4.0 / (1.0 + x * x) / n;
        }
        MPI_Reduce(&local, &pi, 1, MPI_DOUBLE, MPI_SUM, 0, MPI_COMM_WORLD);
    }
    if (rank == 0)
        printf("pi %.4f\n", pi);

    if (rank == 0)
        printf("done with %d ranks\n", size);
    MPI_Finalize();
    return 0;
}
