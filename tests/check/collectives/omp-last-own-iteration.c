/* expects: error OMM301 */
/* A private variable keeps the last iteration that the own chunk had. */
#include <omp.h>
#include <stdio.h>

int main(void)
{
#pragma omp parallel
    {
        int last = -1;
#pragma omp for schedule(static)
        for (int i = 0; i < 16; i++)
            last = i;
        if (last > 7) {
#pragma omp barrier
        }
    }
    printf("done\n");
    return 0;
}
