/* expects: error OMM302 */
/* An array in a record that is passed in memory has the rank in one element, and a number that all have in the next one. */
#include <mpi.h>
struct run {
  double limits[4];
  int values[2];
};
static void work(struct run own, int at)
{
  if (own.values[at] == 0)
    MPI_Barrier(MPI_COMM_WORLD);
}
int main(int argc, char **argv)
{
  struct run own = {{0}};
  MPI_Init(&argc, &argv);
  MPI_Comm_rank(MPI_COMM_WORLD, &own.values[0]);
  own.values[1] = 3;
  work(own, 0);
  MPI_Finalize();
  return 0;
}
