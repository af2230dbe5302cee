/* expects: nothing */
/* The root opens its file on MPI_COMM_SELF, which needs nobody else. */
#include <mpi.h>
#include <stdio.h>

int main(int argc, char **argv)
{
    MPI_File f;
    const char text[4] = "ok\n";
    int rank, size;
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_size(MPI_COMM_WORLD, &size);

    if (rank == 0) {
        MPI_File_open(MPI_COMM_SELF, "/tmp/ompmemopt-mpi-self.bin",
                      MPI_MODE_CREATE | MPI_MODE_WRONLY | MPI_MODE_DELETE_ON_CLOSE, MPI_INFO_NULL, &f);
        MPI_File_write(f, text, 3, MPI_CHAR, MPI_STATUS_IGNORE);
        MPI_File_close(&f);
    }

    if (rank == 0)
        printf("done with %d ranks\n", size);
    MPI_Finalize();
    return 0;
}
