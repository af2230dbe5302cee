/* expects: error OMM302 */
/* A record is assigned, and an element of an array after it: the rank comes along. */
#include <mpi.h>
#include <string.h>
struct run {
  double limits[4];
  int rank;
};
int main(int argc, char **argv)
{
  struct run own = {{0}}, copy, both[2];
  MPI_Init(&argc, &argv);
  MPI_Comm_rank(MPI_COMM_WORLD, &own.rank);
  memcpy(&copy, &own, sizeof own);
  both[1] = copy;
  if (both[1].rank == 0)
    MPI_Barrier(MPI_COMM_WORLD);
  MPI_Finalize();
  return 0;
}
