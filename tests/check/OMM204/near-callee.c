/* A function that is called in the region uses it. */
#include <stdio.h>
#include <stdlib.h>

static void add(double *a, const double *b, int n)
{
    #pragma omp target teams distribute parallel for
    for (int i = 0; i < n; i++)
        a[i] += b[i];
}

int main(void)
{
    int n = 40;
    double *a = calloc(n, sizeof *a), *b = malloc(n * sizeof *b);
    for (int i = 0; i < n; i++)
        b[i] = i;
    #pragma omp target data map(tofrom: a[0:n]) map(to: b[0:n])
    for (int t = 0; t < 5; t++)
        add(a, b, n);
    for (int i = 0; i < n; i++)
        printf("%g\n", a[i]);
    free(a);
    free(b);
    return 0;
}
