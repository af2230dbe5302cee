/* expects: nothing */
/* A record with the communicator of a half is assigned and passed: each member is what it was. */
#include <mpi.h>
struct run {
  double limits[4];
  int rank, size;
  MPI_Comm half;
};
static void work(struct run own)
{
  if (own.rank % 2 == 0)
    MPI_Barrier(own.half);
  if (own.size > 2)
    MPI_Barrier(MPI_COMM_WORLD);
}
int main(int argc, char **argv)
{
  struct run own = {{0}}, copy;
  MPI_Init(&argc, &argv);
  MPI_Comm_rank(MPI_COMM_WORLD, &own.rank);
  MPI_Comm_size(MPI_COMM_WORLD, &own.size);
  MPI_Comm_split(MPI_COMM_WORLD, own.rank % 2, 0, &own.half);
  copy = own;
  work(copy);
  MPI_Finalize();
  return 0;
}
