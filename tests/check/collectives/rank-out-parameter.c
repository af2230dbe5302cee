/* expects: error OMM302 */
/* The rank comes back through an out-parameter of an own function. */
#include <mpi.h>
#include <stdio.h>

static void get_id(int *p)
{
    MPI_Comm_rank(MPI_COMM_WORLD, p);
}

int main(int argc, char **argv)
{
    int id, n;
    MPI_Init(&argc, &argv);
    MPI_Comm_size(MPI_COMM_WORLD, &n);

    get_id(&id);
    if (id > 0)
        MPI_Barrier(MPI_COMM_WORLD);

    if (id == 0)
        printf("done with %d ranks\n", n);
    MPI_Finalize();
    return 0;
}
