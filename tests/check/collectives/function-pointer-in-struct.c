/* expects: error OMM302 */
/* A struct of operations is filled by role, and only one role's step is collective. */
#include <mpi.h>
#include <stdio.h>

struct ops {
    int id;
    int (*step)(int);
};

static int local_step(int v)
{
    return v + 1;
}

static int global_step(int v)
{
    int sum = 0;
    MPI_Allreduce(&v, &sum, 1, MPI_INT, MPI_SUM, MPI_COMM_WORLD);
    return sum;
}

int main(int argc, char **argv)
{
    struct ops o;
    int rank, size;
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_size(MPI_COMM_WORLD, &size);

    o.id = rank;
    o.step = local_step;
    if (rank != 0)
        o.step = global_step;
    int v = o.step(1);
    if (rank == 0)
        printf("value %d\n", v);

    if (rank == 0)
        printf("done with %d ranks\n", size);
    MPI_Finalize();
    return 0;
}
