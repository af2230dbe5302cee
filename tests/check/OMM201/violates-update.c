/* The host writes `a` in front of the loop only: all updates but the first bring what is there. */
#include <stdio.h>
#include <stdlib.h>

static void scaled(const double *a, double *b, int n, int t)
{
    #pragma omp target update to(a[0:n])
    #pragma omp target teams distribute parallel for map(to: a[0:n]) map(tofrom: b[0:n])
    for (int i = 0; i < n; i++)
        b[i] += t * a[i];
}

int main(void)
{
    int n = 40;
    double *a = malloc(n * sizeof *a), *b = calloc(n, sizeof *b);
    for (int i = 0; i < n; i++)
        a[i] = i;
    #pragma omp target data map(to: a[0:n]) map(tofrom: b[0:n])
    for (int t = 0; t < 5; t++)
        scaled(a, b, n, t);
    printf("%g\n", b[n - 1]);
    free(a);
    free(b);
    return 0;
}
