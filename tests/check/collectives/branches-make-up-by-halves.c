/* expects: nothing */
/* Each process is in one half. */
#include <mpi.h>
int main(int argc, char **argv)
{
  int rank, src = 0, dest = 1;
  MPI_Init(&argc, &argv);
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  if (rank == src)
    MPI_Barrier(MPI_COMM_WORLD);
  if (rank == dest)
    MPI_Barrier(MPI_COMM_WORLD);
  if (rank != dest && rank != src)
    MPI_Barrier(MPI_COMM_WORLD);
  MPI_Finalize();
  return 0;
}
