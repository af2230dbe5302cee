/* expects: error OMM302 */
/* The record in an array is assigned that has the rank. */
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
  struct run both[2] = {{{0}}}, own;
  int rank;
  MPI_Init(&argc, &argv);
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  both[0].rank = 0;
  both[1].rank = rank;
  own = both[1];
  if (own.rank == 0)
    MPI_Barrier(MPI_COMM_WORLD);
  work(both[0]);
  MPI_Finalize();
  return 0;
}
