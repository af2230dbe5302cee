/* expects: nothing */
/* Other numbers of processes end the program. Runs with two. */
#include <mpi.h>
int main(int argc, char **argv)
{
  int rank, size;
  MPI_Init(&argc, &argv);
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  MPI_Comm_size(MPI_COMM_WORLD, &size);
  if (size != 2)
    MPI_Abort(MPI_COMM_WORLD, 1);
  if (rank == 0) {
    MPI_Barrier(MPI_COMM_WORLD);
  } else if (rank == 1) {
    MPI_Barrier(MPI_COMM_WORLD);
  }
  MPI_Finalize();
  return 0;
}
