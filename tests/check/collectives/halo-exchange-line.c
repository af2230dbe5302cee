/* expects: nothing */
/* Sends and receives under conditions of the rank, between collectives that all meet. */
#include <mpi.h>
#include <stdio.h>

#define N 8

int main(int argc, char **argv)
{
    double u[N + 2] = {0}, sum = 0.0, local;
    int rank, size;
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_size(MPI_COMM_WORLD, &size);

    for (int i = 1; i <= N; i++)
        u[i] = rank * N + i;
    for (int step = 0; step < 3; step++) {
        if (rank > 0)
            MPI_Send(&u[1], 1, MPI_DOUBLE, rank - 1, 1, MPI_COMM_WORLD);
        if (rank < size - 1) {
            MPI_Recv(&u[N + 1], 1, MPI_DOUBLE, rank + 1, 1, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
            MPI_Send(&u[N], 1, MPI_DOUBLE, rank + 1, 2, MPI_COMM_WORLD);
        }
        if (rank > 0)
            MPI_Recv(&u[0], 1, MPI_DOUBLE, rank - 1, 2, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
        local = 0.0;
        for (int i = 1; i <= N; i++) {
            u[i] = 0.5 * (u[i - 1] + u[i + 1]);
            local += u[i];
        }
        MPI_Allreduce(&local, &sum, 1, MPI_DOUBLE, MPI_SUM, MPI_COMM_WORLD);
    }
    if (rank == 0)
        printf("sum %.3f\n", sum);

    if (rank == 0)
        printf("done with %d ranks\n", size);
    MPI_Finalize();
    return 0;
}
