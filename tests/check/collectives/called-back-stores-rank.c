/* expects: error OMM302 */
/* What a function stores that the library calls back is the rank. */
#include <mpi.h>
#include <stdlib.h>
static int rank, flag;
static int compared(const void *a, const void *b)
{
  flag = rank;
  return *(const int *)a - *(const int *)b;
}
int main(int argc, char **argv)
{
  int values[3] = {3, 2, 1};
  MPI_Init(&argc, &argv);
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  qsort(values, 3, sizeof *values, compared);
  if (flag == 0)
    MPI_Barrier(MPI_COMM_WORLD);
  MPI_Finalize();
  return 0;
}
