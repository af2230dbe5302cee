/* expects: error OMM302 */
/* One member of a record in the heap is broadcast; another one still has the rank. Hangs. */
#include <mpi.h>
#include <stdlib.h>

struct state {
    int own, common;
};

int main(int argc, char **argv)
{
    MPI_Init(&argc, &argv);
    struct state *s = malloc(sizeof *s);
    MPI_Comm_rank(MPI_COMM_WORLD, &s->own);
    s->common = s->own;
    MPI_Bcast(&s->common, 1, MPI_INT, 0, MPI_COMM_WORLD);
    if (s->common == 0)
        MPI_Barrier(MPI_COMM_WORLD);
    if (s->own == 0)
        MPI_Barrier(MPI_COMM_WORLD);
    free(s);
    MPI_Finalize();
    return 0;
}
