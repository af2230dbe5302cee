/* expects: nothing */
/* MPI_Comm_create_group is called by the members of the group only, as the standard wants. */
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

    MPI_Comm_group(MPI_COMM_WORLD, &all);
    if (rank < 2 && size >= 2) {
        MPI_Group_incl(all, 2, members, &pair);
        MPI_Comm_create_group(MPI_COMM_WORLD, pair, 7, &two);
        MPI_Barrier(two);
        MPI_Comm_free(&two);
        MPI_Group_free(&pair);
    }
    MPI_Group_free(&all);

    if (rank == 0)
        printf("done with %d ranks\n", size);
    MPI_Finalize();
    return 0;
}
