/* expects: error OMM302 */
/* What meets by a pointer to the library is looked into, however much else it does. */
#include <mpi.h>
#include <stdio.h>

static int heavy[64];

static void work(int rank, int n)
{
    int (*meet)(MPI_Comm) = MPI_Barrier;
    heavy[(n + 0) % 64] += heavy[(n * 0 + 1) % 64] * 0 + heavy[(n + 0 * 3) % 64];
    heavy[(n + 1) % 64] += heavy[(n * 1 + 1) % 64] * 1 + heavy[(n + 1 * 3) % 64];
    heavy[(n + 2) % 64] += heavy[(n * 2 + 1) % 64] * 2 + heavy[(n + 2 * 3) % 64];
    heavy[(n + 3) % 64] += heavy[(n * 3 + 1) % 64] * 3 + heavy[(n + 3 * 3) % 64];
    heavy[(n + 4) % 64] += heavy[(n * 4 + 1) % 64] * 4 + heavy[(n + 4 * 3) % 64];
    heavy[(n + 5) % 64] += heavy[(n * 5 + 1) % 64] * 5 + heavy[(n + 5 * 3) % 64];
    heavy[(n + 6) % 64] += heavy[(n * 6 + 1) % 64] * 6 + heavy[(n + 6 * 3) % 64];
    heavy[(n + 7) % 64] += heavy[(n * 7 + 1) % 64] * 7 + heavy[(n + 7 * 3) % 64];
    heavy[(n + 8) % 64] += heavy[(n * 8 + 1) % 64] * 8 + heavy[(n + 8 * 3) % 64];
    heavy[(n + 9) % 64] += heavy[(n * 9 + 1) % 64] * 9 + heavy[(n + 9 * 3) % 64];
    heavy[(n + 10) % 64] += heavy[(n * 10 + 1) % 64] * 10 + heavy[(n + 10 * 3) % 64];
    heavy[(n + 11) % 64] += heavy[(n * 11 + 1) % 64] * 11 + heavy[(n + 11 * 3) % 64];
    heavy[(n + 12) % 64] += heavy[(n * 12 + 1) % 64] * 12 + heavy[(n + 12 * 3) % 64];
    heavy[(n + 13) % 64] += heavy[(n * 13 + 1) % 64] * 13 + heavy[(n + 13 * 3) % 64];
    heavy[(n + 14) % 64] += heavy[(n * 14 + 1) % 64] * 14 + heavy[(n + 14 * 3) % 64];
    heavy[(n + 15) % 64] += heavy[(n * 15 + 1) % 64] * 15 + heavy[(n + 15 * 3) % 64];
    heavy[(n + 16) % 64] += heavy[(n * 16 + 1) % 64] * 16 + heavy[(n + 16 * 3) % 64];
    heavy[(n + 17) % 64] += heavy[(n * 17 + 1) % 64] * 17 + heavy[(n + 17 * 3) % 64];
    heavy[(n + 18) % 64] += heavy[(n * 18 + 1) % 64] * 18 + heavy[(n + 18 * 3) % 64];
    heavy[(n + 19) % 64] += heavy[(n * 19 + 1) % 64] * 19 + heavy[(n + 19 * 3) % 64];
    heavy[(n + 20) % 64] += heavy[(n * 20 + 1) % 64] * 20 + heavy[(n + 20 * 3) % 64];
    heavy[(n + 21) % 64] += heavy[(n * 21 + 1) % 64] * 21 + heavy[(n + 21 * 3) % 64];
    heavy[(n + 22) % 64] += heavy[(n * 22 + 1) % 64] * 22 + heavy[(n + 22 * 3) % 64];
    heavy[(n + 23) % 64] += heavy[(n * 23 + 1) % 64] * 23 + heavy[(n + 23 * 3) % 64];
    heavy[(n + 24) % 64] += heavy[(n * 24 + 1) % 64] * 24 + heavy[(n + 24 * 3) % 64];
    heavy[(n + 25) % 64] += heavy[(n * 25 + 1) % 64] * 25 + heavy[(n + 25 * 3) % 64];
    heavy[(n + 26) % 64] += heavy[(n * 26 + 1) % 64] * 26 + heavy[(n + 26 * 3) % 64];
    heavy[(n + 27) % 64] += heavy[(n * 27 + 1) % 64] * 27 + heavy[(n + 27 * 3) % 64];
    heavy[(n + 28) % 64] += heavy[(n * 28 + 1) % 64] * 28 + heavy[(n + 28 * 3) % 64];
    heavy[(n + 29) % 64] += heavy[(n * 29 + 1) % 64] * 29 + heavy[(n + 29 * 3) % 64];
    heavy[(n + 30) % 64] += heavy[(n * 30 + 1) % 64] * 30 + heavy[(n + 30 * 3) % 64];
    heavy[(n + 31) % 64] += heavy[(n * 31 + 1) % 64] * 31 + heavy[(n + 31 * 3) % 64];
    heavy[(n + 32) % 64] += heavy[(n * 32 + 1) % 64] * 32 + heavy[(n + 32 * 3) % 64];
    heavy[(n + 33) % 64] += heavy[(n * 33 + 1) % 64] * 33 + heavy[(n + 33 * 3) % 64];
    heavy[(n + 34) % 64] += heavy[(n * 34 + 1) % 64] * 34 + heavy[(n + 34 * 3) % 64];
    heavy[(n + 35) % 64] += heavy[(n * 35 + 1) % 64] * 35 + heavy[(n + 35 * 3) % 64];
    heavy[(n + 36) % 64] += heavy[(n * 36 + 1) % 64] * 36 + heavy[(n + 36 * 3) % 64];
    heavy[(n + 37) % 64] += heavy[(n * 37 + 1) % 64] * 37 + heavy[(n + 37 * 3) % 64];
    heavy[(n + 38) % 64] += heavy[(n * 38 + 1) % 64] * 38 + heavy[(n + 38 * 3) % 64];
    heavy[(n + 39) % 64] += heavy[(n * 39 + 1) % 64] * 39 + heavy[(n + 39 * 3) % 64];
    if (rank == 0)
        meet(MPI_COMM_WORLD);
}

int main(int argc, char **argv)
{
    int rank, size;
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_size(MPI_COMM_WORLD, &size);

    work(rank, argc);

    printf("%d of %d\n", rank, size);
    MPI_Finalize();
    return 0;
}
