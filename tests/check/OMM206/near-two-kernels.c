/* One kernel uses the first part, the other one the rest. */
#include <stdio.h>
#include <stdlib.h>

int main(void)
{
    int n = 40;
    double *a = malloc(n * sizeof *a), sum = 0.0;
    for (int i = 0; i < n; i++)
        a[i] = i;
    #pragma omp target data map(to: a[0:n])
    {
        #pragma omp target teams distribute parallel for map(tofrom: sum) reduction(+: sum)
        for (int i = 0; i < 15; i++)
            sum += a[i];
        #pragma omp target teams distribute parallel for map(tofrom: sum) reduction(+: sum)
        for (int i = 15; i < n; i++)
            sum -= a[i];
    }
    printf("%g\n", sum);
    free(a);
    return 0;
}
