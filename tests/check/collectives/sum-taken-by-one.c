/* expects: error OMM302 */
/* One process alone takes the sum: the others have what they had before. */
#include <mpi.h>
int main(int argc, char **argv)
{
  int rank, own = 1, sum, steps = 1;
  MPI_Init(&argc, &argv);
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  MPI_Allreduce(&own, &sum, 1, MPI_INT, MPI_SUM, MPI_COMM_WORLD);
  if (rank == 0)
    steps = sum;
  for (int i = 0; i < steps; i++)
    MPI_Barrier(MPI_COMM_WORLD);
  MPI_Finalize();
  return 0;
}
