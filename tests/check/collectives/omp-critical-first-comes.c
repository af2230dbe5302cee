/* expects: error OMM301 */
/* The first thread in a critical region marks itself and then waits in a barrier. */
#include <omp.h>
#include <stdio.h>

int main(void)
{
    int taken = 0;
#pragma omp parallel shared(taken)
    {
        int mine = 0;
#pragma omp critical
        {
            if (!taken) {
                taken = 1;
                mine = 1;
            }
        }
        if (mine) {
#pragma omp barrier
        }
    }
    printf("done\n");
    return 0;
}
