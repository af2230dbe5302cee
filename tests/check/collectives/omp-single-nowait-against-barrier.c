/* expects: error OMM301 */
/* Odd threads meet a single without a barrier, even threads wait in a barrier. */
#include <omp.h>
#include <stdio.h>

int main(void)
{
#pragma omp parallel
    {
        if (omp_get_thread_num() % 2) {
#pragma omp single nowait
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
