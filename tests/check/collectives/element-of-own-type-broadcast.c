/* expects: nothing */
/* Both elements are one item of a type of the program. */
#include <mpi.h>
#include <stdio.h>

int main(int argc, char **argv)
{
    int rank, size;
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_size(MPI_COMM_WORLD, &size);

    int pair[2];
    MPI_Datatype two;
    MPI_Type_contiguous(2, MPI_INT, &two);
    MPI_Type_commit(&two);
    pair[0] = rank;
    pair[1] = rank + 1;
    MPI_Bcast(pair, 1, two, 0, MPI_COMM_WORLD);
    if (pair[1] == 1)
        MPI_Barrier(MPI_COMM_WORLD);
    MPI_Type_free(&two);

    printf("%d of %d\n", rank, size);
    MPI_Finalize();
    return 0;
}
