/* expects: nothing */
/* Two duplicates that nobody waits in are asked for in one order or the other. */
#include <mpi.h>
#include <stdio.h>
#include <stdlib.h>

int main(int argc, char **argv)
{
    int rank, size;
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_size(MPI_COMM_WORLD, &size);

    MPI_Comm one, two, a, b;
    MPI_Request asked[2];
    MPI_Comm_dup(MPI_COMM_WORLD, &one);
    MPI_Comm_dup(MPI_COMM_WORLD, &two);
    MPI_Comm_idup(one, &a, &asked[0]);
    MPI_Comm_idup(two, &b, &asked[1]);
    MPI_Waitall(2, asked, MPI_STATUSES_IGNORE);
    MPI_Barrier(a);
    MPI_Barrier(b);

    printf("%d of %d\n", rank, size);
    MPI_Finalize();
    return 0;
}
