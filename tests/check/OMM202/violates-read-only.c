/* The kernel only reads `a`. */
#include <stdio.h>
#include <stdlib.h>

int main(void)
{
    int n = 40;
    double *a = malloc(n * sizeof *a), sum = 0.0;
    for (int i = 0; i < n; i++)
        a[i] = i;
    #pragma omp target teams distribute parallel for map(tofrom: a[0:n], sum) reduction(+: sum)
    for (int i = 0; i < n; i++)
        sum += a[i];
    printf("%g %g\n", sum, a[1]);
    free(a);
    return 0;
}
