/* expects: nothing */
/* One thread looks at the clock and tells the others through a shared flag. */
#include <omp.h>
#include <stdio.h>

int main(void)
{
    int stop = 0;
    double start = omp_get_wtime();
#pragma omp parallel shared(stop, start)
    {
        for (;;) {
#pragma omp barrier
#pragma omp single
            stop = omp_get_wtime() - start > 0.05;
            if (stop)
                break;
        }
    }
    printf("done\n");
    return 0;
}
