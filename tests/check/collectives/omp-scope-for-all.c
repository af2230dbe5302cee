/* expects: nothing */
#include <omp.h>
#include <stdio.h>
#include <stdlib.h>
int main(void)
{
    int n = 0;
#pragma omp parallel shared(n)
    {
        if (omp_in_parallel()) {
#pragma omp single
            n = omp_get_num_threads();
            for (int i = 0; i < n; i++) {
#pragma omp for nowait
                for (int k = 0; k < 4; k++)
                    ;
#pragma omp barrier
            }
        }
    }
    printf("%d\n", n);
    return 0;
}
