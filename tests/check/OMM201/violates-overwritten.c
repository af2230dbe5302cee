/* The kernel writes all of `a` before anything reads it. */
#include <stdio.h>
#include <stdlib.h>

int main(void)
{
    int n = 40;
    double *a = calloc(n, sizeof *a);
    #pragma omp target teams distribute parallel for map(tofrom: a[0:n])
    for (int i = 0; i < n; i++)
        a[i] = 2.0 * i;
    printf("%g\n", a[n - 1]);
    free(a);
    return 0;
}
