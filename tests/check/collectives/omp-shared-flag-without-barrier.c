/* expects: error OMM301 */
/* Thread 0 sets the shared flag late, and the others test it without waiting. */
#include <omp.h>
#include <stdio.h>

int main(void)
{
    volatile int flag = 0;
#pragma omp parallel shared(flag)
    {
        if (omp_get_thread_num() == 0) {
            double start = omp_get_wtime();
            while (omp_get_wtime() - start < 0.3)
                ;
            flag = 1;
        }
        if (flag) {
#pragma omp barrier
        }
    }
    printf("done\n");
    return 0;
}
