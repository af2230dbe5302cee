/* expects: error OMM302 */
/* A record is passed in memory, and one that is a member of it further on, in a register. */
#include <mpi.h>
struct part {
  int size, rank;
};
struct run {
  double limits[4];
  struct part part;
};
static int is_first(struct part of)
{
  return of.rank == 0;
}
static void work(struct run own)
{
  if (is_first(own.part))
    MPI_Barrier(MPI_COMM_WORLD);
}
int main(int argc, char **argv)
{
  struct run own = {{0}};
  MPI_Init(&argc, &argv);
  MPI_Comm_rank(MPI_COMM_WORLD, &own.part.rank);
  MPI_Comm_size(MPI_COMM_WORLD, &own.part.size);
  work(own);
  MPI_Finalize();
  return 0;
}
