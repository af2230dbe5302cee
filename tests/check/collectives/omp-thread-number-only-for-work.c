/* expects: nothing */
/* The thread number picks the own share and who prints, and no barrier depends on it. */
#include <omp.h>
#include <stdio.h>

static double part[256];

int main(void)
{
    double sum = 0.0;
#pragma omp parallel shared(sum)
    {
        int me = omp_get_thread_num(), n = omp_get_num_threads();
        for (int i = me; i < 1000; i += n)
            part[me] += 1.0;
#pragma omp barrier
        if (me == 0) {
            for (int i = 0; i < n; i++)
                sum += part[i];
        }
#pragma omp barrier
        if (me == n - 1)
            printf("sum %.0f\n", sum);
    }
    printf("done\n");
    return 0;
}
