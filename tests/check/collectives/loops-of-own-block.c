/* expects: nothing */
/* Loops over what is a process own. */
#include <mpi.h>
int main(int argc, char **argv)
{
  int rank, i, j, it;
  double a[64] = {0};
  MPI_Init(&argc, &argv);
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  for (it = 0; it < 10; it++) {
    MPI_Barrier(MPI_COMM_WORLD);
    for (i = rank * 8; i < (rank + 1) * 8; i++)
      for (j = 0; j < 8; j++)
        a[j] += i;
  }
  MPI_Finalize();
  return 0;
}
