/* expects: error OMM302 */
/* A record that is passed in memory has a copy of the rank. */
#include <mpi.h>
struct run {
  double limits[4];
  int rank;
};
static void work(struct run own)
{
  if (own.rank == 0)
    MPI_Barrier(MPI_COMM_WORLD);
}
int main(int argc, char **argv)
{
  struct run own = {{0}};
  MPI_Init(&argc, &argv);
  MPI_Comm_rank(MPI_COMM_WORLD, &own.rank);
  work(own);
  MPI_Finalize();
  return 0;
}
