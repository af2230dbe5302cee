/* expects: warning OMM302 */
/* A number says which of two functions is called, and one of them adds what differs: it may be the other one. */
#include <mpi.h>
static int rank, found;
static void count(int from)
{
  found += from == rank;
}
static void skip(int from)
{
  (void)from;
}
static void (*handlers[2])(int) = { count, skip };
int main(int argc, char **argv)
{
  MPI_Init(&argc, &argv);
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  handlers[argc > 1](1);
  if (found)
    MPI_Barrier(MPI_COMM_WORLD);
  MPI_Finalize();
  return 0;
}
