/* expects: error OMM302 */
/* An element of an array of records is passed in a register, and a member of it is the rank. */
#include <mpi.h>
struct part {
  int kind, rank;
};
struct all {
  int count;
  struct part parts[2];
};
static int rank_of(struct part of)
{
  return of.rank;
}
int main(int argc, char **argv)
{
  struct all own = { 0 };
  MPI_Init(&argc, &argv);
  MPI_Comm_rank(MPI_COMM_WORLD, &own.parts[1].rank);
  if (rank_of(own.parts[1]))
    MPI_Barrier(MPI_COMM_WORLD);
  MPI_Finalize();
  return 0;
}
