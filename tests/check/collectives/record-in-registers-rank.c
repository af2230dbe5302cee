/* expects: error OMM302 */
/* A record of two numbers is passed in one register: one of them is the rank. */
#include <mpi.h>
struct run {
  int size, rank;
};
static void work(struct run own)
{
  if (own.rank == 0)
    MPI_Barrier(MPI_COMM_WORLD);
}
int main(int argc, char **argv)
{
  struct run own;
  MPI_Init(&argc, &argv);
  MPI_Comm_rank(MPI_COMM_WORLD, &own.rank);
  own.size = 3;
  work(own);
  MPI_Finalize();
  return 0;
}
