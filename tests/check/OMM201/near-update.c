/* The host writes one element in each iteration, by a pointer. */
#include <stdio.h>
#include <stdlib.h>

int main(void)
{
    int n = 40;
    double *a = malloc(n * sizeof *a), *b = calloc(n, sizeof *b);
    for (int i = 0; i < n; i++)
        a[i] = i;
    double *first = a;
    #pragma omp target data map(to: a[0:n]) map(tofrom: b[0:n])
    for (int t = 0; t < 5; t++) {
        *first = t;
        #pragma omp target update to(a[0:1])
        #pragma omp target teams distribute parallel for map(to: a[0:n]) map(tofrom: b[0:n])
        for (int i = 0; i < n; i++)
            b[i] += t * a[i];
    }
    printf("%g %g\n", b[0], b[n - 1]);
    free(a);
    free(b);
    return 0;
}
