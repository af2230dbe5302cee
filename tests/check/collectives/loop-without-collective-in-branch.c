/* expects: nothing */
/* The loop does nothing that others wait for. */
#include <mpi.h>
int main(int argc, char **argv)
{
  int rank, size, i, t;
  double a[64] = {0};
  MPI_Init(&argc, &argv);
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  MPI_Comm_size(MPI_COMM_WORLD, &size);
  for (t = 0; t < 10; t++) {
    MPI_Barrier(MPI_COMM_WORLD);
    if (rank > 0 && rank < size - 1)
      for (i = 0; i < 64; i++)
        a[i] += 1;
  }
  MPI_Finalize();
  return 0;
}
