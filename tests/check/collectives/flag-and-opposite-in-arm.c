/* expects: nothing */
/* Before or after the message, and once in any case. */
#include <mpi.h>
static void test(int rank, int late)
{
  if (rank == 0) {
    if (!late)
      MPI_Barrier(MPI_COMM_WORLD);
    MPI_Send(NULL, 0, MPI_INT, 1, 0, MPI_COMM_WORLD);
    if (late)
      MPI_Barrier(MPI_COMM_WORLD);
  } else {
    MPI_Barrier(MPI_COMM_WORLD);
  }
}
int main(int argc, char **argv)
{
  int rank;
  MPI_Init(&argc, &argv);
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  test(rank, argc > 1);
  MPI_Finalize();
  return 0;
}
