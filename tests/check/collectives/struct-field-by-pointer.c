/* expects: error OMM302 */
/* The rank sits in a field of a context struct that is passed on by pointer. */
#include <mpi.h>
#include <stdio.h>

struct context {
    MPI_Comm comm;
    int rank;
    int size;
    double time;
};

static void setup(struct context *c, MPI_Comm comm)
{
    c->comm = comm;
    MPI_Comm_rank(comm, &c->rank);
    MPI_Comm_size(comm, &c->size);
    c->time = 0.0;
}

static void step(struct context *c)
{
    c->time += 0.5;
    if (c->rank != 0)
        MPI_Barrier(c->comm);
}

int main(int argc, char **argv)
{
    struct context c;
    MPI_Init(&argc, &argv);
    setup(&c, MPI_COMM_WORLD);
    step(&c);
    if (c.rank == 0)
        printf("time %.1f\n", c.time);
    MPI_Finalize();
    return 0;
}
