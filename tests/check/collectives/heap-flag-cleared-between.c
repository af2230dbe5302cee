/* expects: warning OMM302 */
/* One arm clears the flag in a struct of the heap before it asks for it: what the heap holds is followed, not what it comes to. */
#include <mpi.h>
#include <stdio.h>
#include <stdlib.h>

struct run {
    int more;
};

int main(int argc, char **argv)
{
    int rank, size;
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_size(MPI_COMM_WORLD, &size);

    struct run *r = calloc(1, sizeof *r);
    r->more = size > 1;
    if (rank == 0) {
        if (r->more)
            MPI_Barrier(MPI_COMM_WORLD);
    } else {
        r->more = 0;
        if (r->more)
            MPI_Barrier(MPI_COMM_WORLD);
    }
    free(r);

    printf("%d of %d\n", rank, size);
    MPI_Finalize();
    return 0;
}
