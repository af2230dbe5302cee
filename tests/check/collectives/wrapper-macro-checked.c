/* expects: nothing */
/* Each collective is wrapped in a macro that aborts the job when the call fails. */
#include <mpi.h>
#include <stdio.h>

#define CHECK(call) \
    do { \
        int rc_ = (call); \
        if (rc_ != MPI_SUCCESS) { \
            fprintf(stderr, "%s failed: %d\n", #call, rc_); \
            MPI_Abort(MPI_COMM_WORLD, rc_); \
        } \
    } while (0)

int main(int argc, char **argv)
{
    int v = 1, sum = 0;
    int rank, size;
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_size(MPI_COMM_WORLD, &size);

    MPI_Comm_set_errhandler(MPI_COMM_WORLD, MPI_ERRORS_RETURN);
    CHECK(MPI_Barrier(MPI_COMM_WORLD));
    CHECK(MPI_Allreduce(&v, &sum, 1, MPI_INT, MPI_SUM, MPI_COMM_WORLD));
    CHECK(MPI_Bcast(&sum, 1, MPI_INT, size - 1, MPI_COMM_WORLD));
    if (rank == 0)
        printf("sum %d\n", sum);

    if (rank == 0)
        printf("done with %d ranks\n", size);
    MPI_Finalize();
    return 0;
}
