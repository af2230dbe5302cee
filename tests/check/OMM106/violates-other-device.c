/* The array is on one device, and the kernel runs on another. */
#include <stdio.h>
#include <stdlib.h>

int main(void)
{
    double *a = malloc(40 * sizeof *a), sum = 0;
    for (int i = 0; i < 40; i++)
        a[i] = i;
    #pragma omp target data map(to: a[0:40]) device(0)
    {
        #pragma omp target teams distribute parallel for reduction(+: sum) map(tofrom: sum) device(1)
        for (int i = 0; i < 40; i++)
            sum += a[i];
    }
    printf("%g\n", sum);
    free(a);
    return 0;
}
