/* expects: nothing */
/* Rank and size live in two fields of one struct, and only the size is tested. */
#include <mpi.h>
#include <stdio.h>

struct place {
    int me;
    int n;
};

int main(int argc, char **argv)
{
    struct place s;
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &s.me);
    MPI_Comm_size(MPI_COMM_WORLD, &s.n);

    if (s.n > 1)
        MPI_Barrier(MPI_COMM_WORLD);

    if (s.me == 0)
        printf("done with %d ranks\n", s.n);
    MPI_Finalize();
    return 0;
}
