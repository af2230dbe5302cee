/* expects: nothing */
/* Who frees the part early has no part to free later. */
#include <mpi.h>
int main(int argc, char **argv)
{
  int rank, n = 2, done = 1;
  MPI_Comm c;
  MPI_Init(&argc, &argv);
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  MPI_Comm_split(MPI_COMM_WORLD, rank < n, rank, &c);
  if (rank >= n) {
    MPI_Comm_free(&c);
    c = MPI_COMM_NULL;
  }
  MPI_Allreduce(MPI_IN_PLACE, &done, 1, MPI_INT, MPI_LAND, MPI_COMM_WORLD);
  if (c != MPI_COMM_NULL)
    MPI_Comm_free(&c);
  MPI_Finalize();
  return 0;
}
