/* expects: error OMM302 */
/* Only process 0 has what was read. */
#include <mpi.h>
#include <stdlib.h>
#include <stdio.h>
int main(int argc, char **argv)
{
  int rank, size, x = 1, y[64] = {0};
  MPI_Init(&argc, &argv);
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  MPI_Comm_size(MPI_COMM_WORLD, &size);
  char l[80] = ""; if (rank == 0) fgets(l, 80, stdin);
  if (atoi(l) > 1) MPI_Barrier(MPI_COMM_WORLD);
  MPI_Finalize();
  return y[0] + x > 100;
}
