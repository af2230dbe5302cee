/* expects: nothing */
/* Both broadcasts are one, and so is the flag. */
#include <mpi.h>
int main(int argc, char **argv)
{
  int rank, flag = 0;
  double end = 0;
  MPI_Init(&argc, &argv);
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  if (rank == 0) {
    flag = argc > 1;
    MPI_Bcast(&flag, 1, MPI_INT, 0, MPI_COMM_WORLD);
    if (flag)
      MPI_Bcast(&end, 1, MPI_DOUBLE, 0, MPI_COMM_WORLD);
  } else {
    MPI_Bcast(&flag, 1, MPI_INT, 0, MPI_COMM_WORLD);
    if (flag)
      MPI_Bcast(&end, 1, MPI_DOUBLE, 0, MPI_COMM_WORLD);
  }
  MPI_Finalize();
  return 0;
}
