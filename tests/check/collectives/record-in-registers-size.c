/* expects: nothing */
/* Records of a few numbers are passed and returned in registers: the size is the same for all, and the rank beside it is not asked for. */
#include <mpi.h>
struct run {
  int size, rank, kind;
};
struct pair {
  int rank, size;
};
static struct run get(void)
{
  struct run own;
  MPI_Comm_rank(MPI_COMM_WORLD, &own.rank);
  MPI_Comm_size(MPI_COMM_WORLD, &own.size);
  own.kind = 0;
  return own;
}
static struct pair part(struct run of)
{
  struct pair own;
  own.rank = of.rank;
  own.size = of.size;
  return own;
}
static int is_large(struct run of)
{
  return of.size > 2;
}
int main(int argc, char **argv)
{
  MPI_Init(&argc, &argv);
  struct run own = get();
  struct pair both = part(own);
  if (own.size > 1)
    MPI_Barrier(MPI_COMM_WORLD);
  if (is_large(own))
    MPI_Barrier(MPI_COMM_WORLD);
  if (both.size > 1)
    MPI_Barrier(MPI_COMM_WORLD);
  MPI_Finalize();
  return 0;
}
