/* expects: nothing */
/* Jacobi sweeps with a halo exchange end by the global residual. */
#include <mpi.h>
#include <stdio.h>
#include <math.h>

#define N 6

int main(int argc, char **argv)
{
    double u[N + 2] = {0}, v[N + 2] = {0}, diff, all = 1.0;
    int left, right, sweeps = 0;
    int rank, size;
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_size(MPI_COMM_WORLD, &size);

    left = rank > 0 ? rank - 1 : MPI_PROC_NULL;
    right = rank < size - 1 ? rank + 1 : MPI_PROC_NULL;
    if (rank == 0)
        u[0] = v[0] = 1.0;
    while (all > 1e-3) {
        MPI_Sendrecv(&u[N], 1, MPI_DOUBLE, right, 0, &u[0], 1, MPI_DOUBLE, left, 0, MPI_COMM_WORLD,
                     MPI_STATUS_IGNORE);
        MPI_Sendrecv(&u[1], 1, MPI_DOUBLE, left, 1, &u[N + 1], 1, MPI_DOUBLE, right, 1, MPI_COMM_WORLD,
                     MPI_STATUS_IGNORE);
        diff = 0.0;
        for (int i = 1; i <= N; i++) {
            v[i] = 0.5 * (u[i - 1] + u[i + 1]);
            diff = fmax(diff, fabs(v[i] - u[i]));
        }
        for (int i = 1; i <= N; i++)
            u[i] = v[i];
        MPI_Allreduce(&diff, &all, 1, MPI_DOUBLE, MPI_MAX, MPI_COMM_WORLD);
        sweeps++;
    }
    if (rank == 0)
        printf("sweeps %d\n", sweeps);

    if (rank == 0)
        printf("done with %d ranks\n", size);
    MPI_Finalize();
    return 0;
}
