/* expects: error OMM302 */
/* Whether the file can be opened is known to the root alone, which then skips the broadcast. */
#include <mpi.h>
#include <stdio.h>

int main(int argc, char **argv)
{
    int n = 0;
    FILE *f = NULL;
    int rank, size;
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_size(MPI_COMM_WORLD, &size);

    if (rank == 0) {
        f = fopen("/nonexistent/input.txt", "r");
        if (f == NULL) {
            printf("no input\n");
            goto end;
        }
        if (fscanf(f, "%d", &n) != 1)
            n = 0;
        fclose(f);
    }
    MPI_Bcast(&n, 1, MPI_INT, 0, MPI_COMM_WORLD);

end:
    if (rank == 0)
        printf("done with %d ranks\n", size);
    MPI_Finalize();
    return 0;
}
