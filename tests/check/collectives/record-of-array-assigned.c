/* expects: nothing */
/* One of two records in an array is assigned, and one of two passed: the rank is in the other ones. */
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
  own = both[0];
  if (own.rank == 0)
    MPI_Barrier(MPI_COMM_WORLD);
  work(both[0]);
  MPI_Finalize();
  return 0;
}
