/* expects: nothing */
/* Who opens a file in a struct of the heap, a table of functions says: it may be each process by itself. */
#include <mpi.h>
#include <stdlib.h>
struct handle { MPI_File file; };
struct backend { void *(*open)(const char *name, MPI_Comm of); };
static void *open_file(const char *name, MPI_Comm of)
{
  struct handle *made = malloc(sizeof *made);
  MPI_File_open(of, name, MPI_MODE_CREATE | MPI_MODE_RDWR, MPI_INFO_NULL, &made->file);
  return made;
}
static struct backend backends[] = { { open_file } };
static void close_file(void *handle)
{
  struct handle *closed = handle;
  MPI_File_close(&closed->file);
  free(closed);
}
int main(int argc, char **argv)
{
  int rank;
  MPI_Init(&argc, &argv);
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  if (rank == 0) {
    void *own = backends[0].open("/tmp/file-of-unknown-origin", MPI_COMM_SELF);
    close_file(own);
  }
  MPI_Barrier(MPI_COMM_WORLD);
  MPI_Finalize();
  return 0;
}
