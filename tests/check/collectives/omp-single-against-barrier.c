/* expects: error OMM301 */
/* Odd threads meet a single, even threads a barrier: undefined; libgomp hangs, libomp gets by. */
#include <omp.h>
#include <stdio.h>

int main(void)
{
#pragma omp parallel
    {
        if (omp_get_thread_num() % 2) {
#pragma omp single
            {
                puts("single");
            }
        } else {
#pragma omp barrier
        }
    }
    printf("done\n");
    return 0;
}
