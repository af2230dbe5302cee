/* expects: nothing */
/* Two calls make one communicator. */
#include <mpi.h>
int main(int argc, char **argv)
{
  int rank;
  MPI_Comm c;
  MPI_Init(&argc, &argv);
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  if (rank == 0)
    MPI_Comm_dup(MPI_COMM_WORLD, &c);
  else
    MPI_Comm_dup(MPI_COMM_WORLD, &c);
  MPI_Barrier(c);
  MPI_Comm_free(&c);
  MPI_Finalize();
  return 0;
}
