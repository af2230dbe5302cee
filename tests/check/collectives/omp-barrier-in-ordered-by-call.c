/* expects: error OMM301 */
/* The barrier is called from an ordered region: the first iteration waits for the later ones. */
#include <omp.h>
#include <stdio.h>

static void sync_all(void)
{
#pragma omp barrier
}

int main(void)
{
#pragma omp parallel
    {
#pragma omp for ordered schedule(static, 1)
        for (int i = 0; i < 4; i++) {
#pragma omp ordered
            {
                sync_all();
            }
        }
    }
    printf("done\n");
    return 0;
}
