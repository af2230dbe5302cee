/* expects: error OMM301 */
/* A private copy of the thread number stays different after a barrier. */
#include <omp.h>
#include <stdio.h>

int main(void)
{
#pragma omp parallel
    {
        int s = omp_get_thread_num();
#pragma omp barrier
        if (s) {
#pragma omp barrier
        }
    }
    printf("done\n");
    return 0;
}
