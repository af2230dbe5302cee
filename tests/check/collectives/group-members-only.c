/* expects: nothing */
/* A communicator of a group: ranks outside of it get the null communicator. */
#include <mpi.h>
#include <stdio.h>

int main(int argc, char **argv)
{
    MPI_Group all, pair;
    MPI_Comm two;
    const int members[2] = {0, 1};
    int rank, size;
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_size(MPI_COMM_WORLD, &size);

    if (size >= 2) {
        MPI_Comm_group(MPI_COMM_WORLD, &all);
        MPI_Group_incl(all, 2, members, &pair);
        MPI_Comm_create(MPI_COMM_WORLD, pair, &two);
        if (two != MPI_COMM_NULL) {
            MPI_Barrier(two);
            MPI_Comm_free(&two);
        }
        MPI_Group_free(&pair);
        MPI_Group_free(&all);
    }

    if (rank == 0)
        printf("done with %d ranks\n", size);
    MPI_Finalize();
    return 0;
}
