/* The host reads by another name. */
#include <stdio.h>
#include <stdlib.h>

static double total(const double *v, int n)
{
    double sum = 0.0;
    for (int i = 0; i < n; i++)
        sum += v[i];
    return sum;
}

int main(void)
{
    int n = 40;
    double *a = malloc(n * sizeof *a), *inner = a + 1;
    #pragma omp target teams distribute parallel for map(from: a[0:n])
    for (int i = 0; i < n; i++)
        a[i] = i;
    printf("%g\n", total(inner, n - 1));
    free(a);
    return 0;
}
