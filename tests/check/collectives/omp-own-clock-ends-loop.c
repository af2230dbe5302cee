/* expects: error OMM301 */
/* Each thread measures its own time from its own start to end a loop with a barrier. */
#include <omp.h>
#include <stdio.h>

int main(void)
{
#pragma omp parallel
    {
        double begin = omp_get_wtime();
        while (omp_get_wtime() < begin + 0.02 * omp_get_thread_num())
            ;
        double start = omp_get_wtime();
        while (omp_get_wtime() - start < 0.05 * (1 + omp_get_thread_num())) {
#pragma omp barrier
        }
    }
    printf("done\n");
    return 0;
}
