/* expects: error OMM302 */
/* The others add their number to what the root has sent. */
#include <mpi.h>
int main(int argc, char **argv)
{
  int rank, sent = 0, steps = argc;
  MPI_Init(&argc, &argv);
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  if (rank == 0)
    sent = steps;
  MPI_Bcast(&sent, 1, MPI_INT, 0, MPI_COMM_WORLD);
  if (rank != 0)
    steps = sent + rank;
  for (int i = 0; i < steps; i++)
    MPI_Barrier(MPI_COMM_WORLD);
  MPI_Finalize();
  return 0;
}
