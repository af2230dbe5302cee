/* expects: nothing */
/* All members of the part are in one of two arms. */
#include <mpi.h>
int main(int argc, char **argv)
{
  int rank;
  MPI_Comm two;
  MPI_Init(&argc, &argv);
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  MPI_Comm_split(MPI_COMM_WORLD, rank < 2, rank, &two);
  if (rank < 2) {
    if (rank == 0)
      MPI_Barrier(two);
    else if (rank == 1)
      MPI_Barrier(two);
  }
  MPI_Comm_free(&two);
  MPI_Finalize();
  return 0;
}
