/* expects: nothing */
/* A failed call aborts; on success, all go on. */
#include <mpi.h>
#include <stdio.h>

int main(int argc, char **argv)
{
    int rc, n = 2;
    int rank, size;
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_size(MPI_COMM_WORLD, &size);

    MPI_Comm_set_errhandler(MPI_COMM_WORLD, MPI_ERRORS_RETURN);
    rc = MPI_Bcast(&n, 1, MPI_INT, 0, MPI_COMM_WORLD);
    if (rc != MPI_SUCCESS) {
        char text[MPI_MAX_ERROR_STRING];
        int length;
        MPI_Error_string(rc, text, &length);
        fprintf(stderr, "rank %d: %s\n", rank, text);
        MPI_Abort(MPI_COMM_WORLD, rc);
    }
    MPI_Barrier(MPI_COMM_WORLD);

    if (rank == 0)
        printf("done with %d ranks\n", size);
    MPI_Finalize();
    return 0;
}
