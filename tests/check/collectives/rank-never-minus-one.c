/* expects: nothing */
/* No process has this number. */
#include <mpi.h>
int main(int argc, char **argv)
{
  int rank;
  MPI_Init(&argc, &argv);
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  if (rank == -1)
    goto out;
  MPI_Barrier(MPI_COMM_WORLD);
out:
  MPI_Finalize();
  return 0;
}
