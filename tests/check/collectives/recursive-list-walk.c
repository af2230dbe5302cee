/* expects: error OMM302 */
/* A list is walked by recursion, and one of its numbers is the rank. */
#include <mpi.h>
struct item {
  int value;
  struct item *next;
};
static int sum(const struct item *from)
{
  return from ? from->value + sum(from->next) : 0;
}
int main(int argc, char **argv)
{
  struct item last = {1, 0}, first = {2, &last};
  int rank;
  MPI_Init(&argc, &argv);
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  last.value = rank;
  if (sum(&first) == 2)
    MPI_Barrier(MPI_COMM_WORLD);
  MPI_Finalize();
  return 0;
}
