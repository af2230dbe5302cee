/* expects: nothing */
/* Collectives in both arms, and a loop without any behind. */
#include <mpi.h>
int main(int argc, char **argv)
{
  int rank, size, root, i, x = 1, all[64];
  MPI_Init(&argc, &argv);
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  MPI_Comm_size(MPI_COMM_WORLD, &size);
  for (root = 0; root < size; root++) {
    if (rank == root)
      MPI_Gather(MPI_IN_PLACE, 1, MPI_INT, all, 1, MPI_INT, root, MPI_COMM_WORLD);
    else
      MPI_Gather(&x, 1, MPI_INT, NULL, 1, MPI_INT, root, MPI_COMM_WORLD);
    if (rank == root)
      for (i = 0; i < 64; i++)
        all[i]++;
  }
  MPI_Finalize();
  return 0;
}
