/* expects: error OMM301 */
/* Thread 0 goes past a single that the other threads meet. */
#include <omp.h>
#include <stdio.h>

int main(void)
{
    int n = 0;
#pragma omp parallel shared(n)
    {
        if (omp_get_thread_num() > 0) {
#pragma omp single
            n = 1;
        }
#pragma omp barrier
        if (omp_get_thread_num() == 0)
            n++;
    }
    printf("n %d\n", n);
    printf("done\n");
    return 0;
}
