/* expects: nothing */
#include <omp.h>
#include <stdio.h>
#include <stdlib.h>
#define N 16
static double a[N][N];
int main(void)
{
#pragma omp parallel
    {
        int me = omp_get_thread_num(), all = omp_get_num_threads();
        for (int k = 0; k < N; k++) {
            for (int i = me; i < N; i += all)
                a[i][k] = a[k][k] + i;
#pragma omp barrier
        }
    }
    printf("%g\n", a[3][3]);
    return 0;
}
