/* expects: nothing */
/* The root's configuration struct is broadcast as bytes, and a field of it is tested. */
#include <mpi.h>
#include <stdio.h>

struct config {
    int steps;
    int report;
    double dt;
};

int main(int argc, char **argv)
{
    struct config cfg = {0, 0, 0.0};
    double t = 0.0;
    int rank, size;
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_size(MPI_COMM_WORLD, &size);

    if (rank == 0) {
        cfg.steps = 4;
        cfg.report = 2;
        cfg.dt = 0.25;
    }
    MPI_Bcast(&cfg, (int)sizeof cfg, MPI_BYTE, 0, MPI_COMM_WORLD);
    for (int i = 0; i < cfg.steps; i++) {
        double all = 0.0;
        t += cfg.dt;
        if (i % cfg.report == 0)
            MPI_Reduce(&t, &all, 1, MPI_DOUBLE, MPI_SUM, 0, MPI_COMM_WORLD);
    }

    if (rank == 0)
        printf("done with %d ranks\n", size);
    MPI_Finalize();
    return 0;
}
