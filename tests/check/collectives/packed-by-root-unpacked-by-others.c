/* expects: nothing */
/* The root reads numbers and sends them in an array, by a call of its own; the others take them out of it. */
#include <mpi.h>
#include <stdlib.h>
static int steps, every = 2;
int main(int argc, char **argv)
{
  int rank, sent[2];
  MPI_Init(&argc, &argv);
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  if (!rank) {
    steps = argc > 1 ? atoi(argv[1]) : 3;
    sent[0] = steps;
    sent[1] = every;
    MPI_Bcast(sent, 2, MPI_INT, 0, MPI_COMM_WORLD);
  } else {
    MPI_Bcast(sent, 2, MPI_INT, 0, MPI_COMM_WORLD);
    steps = sent[0];
    every = sent[1];
  }
  for (int i = 0; i < steps; i++)
    if (i % every == 0)
      MPI_Barrier(MPI_COMM_WORLD);
  MPI_Finalize();
  return 0;
}
