/* expects: error OMM302 */
/* The file is open everywhere, but rank 0 has no data and skips the collective write. */
#include <mpi.h>
#include <stdio.h>

int main(int argc, char **argv)
{
    MPI_File f;
    int block[4] = {1, 2, 3, 4};
    int rank, size;
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_size(MPI_COMM_WORLD, &size);

    MPI_File_open(MPI_COMM_WORLD, "/tmp/ompmemopt-mpi-some.bin",
                  MPI_MODE_CREATE | MPI_MODE_WRONLY | MPI_MODE_DELETE_ON_CLOSE, MPI_INFO_NULL, &f);
    if (rank > 0)
        MPI_File_write_at_all(f, 16 * (MPI_Offset)rank, block, 4, MPI_INT, MPI_STATUS_IGNORE);
    MPI_File_close(&f);

    if (rank == 0)
        printf("done with %d ranks\n", size);
    MPI_Finalize();
    return 0;
}
