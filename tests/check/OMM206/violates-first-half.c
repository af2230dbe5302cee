/* The kernel uses one half. */
#include <stdio.h>
#include <stdlib.h>

int main(void)
{
    int n = 40;
    double *a = malloc(2 * n * sizeof *a), sum = 0.0;
    for (int i = 0; i < 2 * n; i++)
        a[i] = i;
    #pragma omp target teams distribute parallel for map(to: a[0:2 * n]) map(tofrom: sum) reduction(+: sum)
    for (int i = 0; i < n; i++)
        sum += a[i];
    printf("%g\n", sum);
    free(a);
    return 0;
}
