/* expects: error OMM302 */
/* As conjugate gradient, but the sum that ends the loop is the local one of each rank. */
#include <mpi.h>
#include <stdio.h>

#define N 4

static double dot(const double *a, const double *b, int global)
{
    double local = 0.0, all = 0.0;
    for (int i = 0; i < N; i++)
        local += a[i] * b[i];
    if (!global)
        return local;
    MPI_Allreduce(&local, &all, 1, MPI_DOUBLE, MPI_SUM, MPI_COMM_WORLD);
    return all;
}

int main(int argc, char **argv)
{
    double x[N] = {0}, r[N], rr;
    int iterations = 0;
    int rank, size;
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_size(MPI_COMM_WORLD, &size);

    for (int i = 0; i < N; i++)
        r[i] = rank + 1.0;
    rr = dot(r, r, 0);
    while (rr > 1.0 && iterations < 100) {
        double all = dot(r, r, 1);
        for (int i = 0; i < N; i++) {
            x[i] += r[i] / all;
            r[i] *= 0.5;
        }
        rr = dot(r, r, 0);
        iterations++;
    }
    if (rank == 0)
        printf("iterations %d\n", iterations);

    if (rank == 0)
        printf("done with %d ranks\n", size);
    MPI_Finalize();
    return 0;
}
