/* expects: error OMM301 */
/* One side has a barrier, the other a loop: undefined; libgomp hangs, libomp happens to get by. */
#include <omp.h>
#include <stdio.h>

static int a[16];

int main(void)
{
#pragma omp parallel
    {
        if (omp_get_thread_num() == 0) {
#pragma omp barrier
        } else {
#pragma omp for schedule(static)
            for (int i = 0; i < 16; i++)
                a[i] = 1;
        }
    }
    printf("first element %d, last %d\n", a[0], a[15]);
    printf("done\n");
    return 0;
}
