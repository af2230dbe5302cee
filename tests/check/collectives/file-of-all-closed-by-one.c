/* expects: error OMM302 */
/* All have opened the file, and one process alone closes it. */
#include <mpi.h>
int main(int argc, char **argv)
{
  int rank;
  MPI_File file;
  MPI_Init(&argc, &argv);
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  MPI_File_open(MPI_COMM_WORLD, "/tmp/file-of-all", MPI_MODE_CREATE | MPI_MODE_RDWR, MPI_INFO_NULL, &file);
  if (rank == 0)
    MPI_File_sync(file);
  MPI_File_close(&file);
  MPI_Finalize();
  return 0;
}
