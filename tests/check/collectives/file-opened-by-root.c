/* expects: error OMM302 */
/* Opening a file on the world is collective, and the root does it alone. */
#include <mpi.h>
#include <stdio.h>

int main(int argc, char **argv)
{
    MPI_File f;
    int rank, size;
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_size(MPI_COMM_WORLD, &size);

    if (rank == 0) {
        MPI_File_open(MPI_COMM_WORLD, "/tmp/ompmemopt-mpi-root.bin",
                      MPI_MODE_CREATE | MPI_MODE_WRONLY | MPI_MODE_DELETE_ON_CLOSE, MPI_INFO_NULL, &f);
        MPI_File_close(&f);
    }

    if (rank == 0)
        printf("done with %d ranks\n", size);
    MPI_Finalize();
    return 0;
}
