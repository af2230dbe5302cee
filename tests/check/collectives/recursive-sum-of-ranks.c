/* expects: error OMM302 */
/* What a function returns that calls itself is made of the rank. */
#include <mpi.h>
static int sum(int rank, int depth)
{
  int all = 0;
  if (depth > 0)
    all = rank + sum(rank, depth - 1);
  return all;
}
int main(int argc, char **argv)
{
  int rank;
  MPI_Init(&argc, &argv);
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  if (sum(rank, argc) == 1)
    MPI_Barrier(MPI_COMM_WORLD);
  MPI_Finalize();
  return 0;
}
