/* expects: nothing */
/* All open, write their block together and close; the root alone writes a header. */
#include <mpi.h>
#include <stdio.h>

int main(int argc, char **argv)
{
    MPI_File f;
    const char head[8] = "HEAD...";
    int block[4];
    int rank, size;
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_size(MPI_COMM_WORLD, &size);

    for (int i = 0; i < 4; i++)
        block[i] = rank;
    MPI_File_open(MPI_COMM_WORLD, "/tmp/ompmemopt-mpi-case.bin",
                  MPI_MODE_CREATE | MPI_MODE_WRONLY | MPI_MODE_DELETE_ON_CLOSE, MPI_INFO_NULL, &f);
    if (rank == 0)
        MPI_File_write_at(f, 0, head, 8, MPI_CHAR, MPI_STATUS_IGNORE);
    MPI_File_write_at_all(f, 8 + 16 * (MPI_Offset)rank, block, 4, MPI_INT, MPI_STATUS_IGNORE);
    MPI_File_close(&f);

    if (rank == 0)
        printf("done with %d ranks\n", size);
    MPI_Finalize();
    return 0;
}
