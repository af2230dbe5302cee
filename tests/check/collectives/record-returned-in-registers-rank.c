/* expects: error OMM302 */
/* A record of three numbers is returned in registers: one of them is the rank. */
#include <mpi.h>
struct run {
  int size, rank, kind;
};
static struct run get(void)
{
  struct run own;
  MPI_Comm_rank(MPI_COMM_WORLD, &own.rank);
  MPI_Comm_size(MPI_COMM_WORLD, &own.size);
  own.kind = 0;
  return own;
}
int main(int argc, char **argv)
{
  MPI_Init(&argc, &argv);
  struct run own = get();
  if (own.rank == 0)
    MPI_Barrier(MPI_COMM_WORLD);
  MPI_Finalize();
  return 0;
}
