/* expects: nothing */
/* The flag decides alike each time. */
#include <mpi.h>
int main(int argc, char **argv)
{
  int rank;
  MPI_Init(&argc, &argv);
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  if (rank == 0) {
    if (argc > 1)
      MPI_Barrier(MPI_COMM_WORLD);
    rank = 7;
    if (argc > 1)
      MPI_Barrier(MPI_COMM_WORLD);
  } else {
    if (argc > 1) {
      MPI_Barrier(MPI_COMM_WORLD);
      MPI_Barrier(MPI_COMM_WORLD);
    }
  }
  MPI_Finalize();
  return 0;
}
