/* expects: nothing */
#include <omp.h>
#include <stdio.h>
#include <stdlib.h>
int main(void)
{
    double best = 0;
    int at = -1;
#pragma omp parallel shared(best, at)
    {
        double mine = 1.0 / (1 + omp_get_thread_num());
#pragma omp critical
        if (mine > best) {
            best = mine;
            at = omp_get_thread_num();
        }
#pragma omp barrier
        if (best > 0.5) {
#pragma omp single
            printf("%g by %d\n", best, at);
        }
    }
    return 0;
}
