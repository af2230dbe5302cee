/* expects: nothing */
/* A window that each arm makes and frees is one. */
#include <mpi.h>
int main(int argc, char **argv)
{
  int rank, v = 0, all[64], buf[16] = {0};
  MPI_Win win;
  MPI_Init(&argc, &argv);
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  if (rank == 0) {
    MPI_Win_create(buf, sizeof buf, sizeof(int), MPI_INFO_NULL, MPI_COMM_WORLD, &win);
    MPI_Win_free(&win);
    MPI_Gather(MPI_IN_PLACE, 0, MPI_INT, all, 1, MPI_INT, 0, MPI_COMM_WORLD);
  } else {
    MPI_Win_create(NULL, 0, 1, MPI_INFO_NULL, MPI_COMM_WORLD, &win);
    MPI_Win_free(&win);
    MPI_Gather(&v, 1, MPI_INT, NULL, 0, MPI_INT, 0, MPI_COMM_WORLD);
  }
  MPI_Finalize();
  return 0;
}
