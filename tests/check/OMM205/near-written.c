/* The host writes an element in between. */
#include <stdio.h>
#include <stdlib.h>

int main(void)
{
    int n = 40;
    double *a = malloc(n * sizeof *a);
    for (int i = 0; i < n; i++)
        a[i] = i;
    #pragma omp target teams distribute parallel for map(tofrom: a[0:n])
    for (int i = 0; i < n; i++)
        a[i] += 1.0;
    a[n / 2] = 0.0;
    #pragma omp target teams distribute parallel for map(tofrom: a[0:n])
    for (int i = 0; i < n; i++)
        a[i] *= 2.0;
    for (int i = 0; i < n; i++)
        printf("%g\n", a[i]);
    free(a);
    return 0;
}
