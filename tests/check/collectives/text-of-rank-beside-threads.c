/* expects: error OMM302 */
/* What a library function gives is known in a program that has threads beside. Hangs. */
#include <mpi.h>
#include <pthread.h>
#include <stdio.h>
#include <string.h>

static int ticks;

static void *tick(void *unused)
{
    (void)unused;
    ticks++;
    return NULL;
}

int main(int argc, char **argv)
{
    pthread_t beside;
    char name[16];
    int rank;
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    pthread_create(&beside, NULL, tick, NULL);
    sprintf(name, "%d", rank);
    if (strcmp(name, "0") == 0)
        MPI_Barrier(MPI_COMM_WORLD);
    pthread_join(beside, NULL);
    MPI_Finalize();
    return 0;
}
