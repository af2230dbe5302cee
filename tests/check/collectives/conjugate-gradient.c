/* expects: nothing */
/* Conjugate gradient on a diagonal matrix: the dot products are global. */
#include <mpi.h>
#include <stdio.h>

#define N 4

static double dot(const double *a, const double *b)
{
    double local = 0.0, all = 0.0;
    for (int i = 0; i < N; i++)
        local += a[i] * b[i];
    MPI_Allreduce(&local, &all, 1, MPI_DOUBLE, MPI_SUM, MPI_COMM_WORLD);
    return all;
}

int main(int argc, char **argv)
{
    double x[N] = {0}, r[N], p[N], q[N], rr;
    int iterations = 0;
    int rank, size;
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_size(MPI_COMM_WORLD, &size);

    for (int i = 0; i < N; i++)
        r[i] = p[i] = 1.0;
    rr = dot(r, r);
    while (rr > 1e-12 && iterations < 100) {
        for (int i = 0; i < N; i++)
            q[i] = (1.0 + rank + 0.5 * i) * p[i];
        double alpha = rr / dot(p, q);
        for (int i = 0; i < N; i++) {
            x[i] += alpha * p[i];
            r[i] -= alpha * q[i];
        }
        double next = dot(r, r);
        for (int i = 0; i < N; i++)
            p[i] = r[i] + next / rr * p[i];
        rr = next;
        iterations++;
    }
    if (rank == 0)
        printf("x %.3f\n", x[0]);

    if (rank == 0)
        printf("done with %d ranks\n", size);
    MPI_Finalize();
    return 0;
}
