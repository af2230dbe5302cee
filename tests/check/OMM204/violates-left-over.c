/* An earlier form of the kernel used `c`. */
#include <stdio.h>
#include <stdlib.h>

int main(void)
{
    int n = 40;
    double *a = calloc(n, sizeof *a), *b = malloc(n * sizeof *b), *c = calloc(n, sizeof *c);
    for (int i = 0; i < n; i++)
        b[i] = c[i] = i;
    #pragma omp target teams distribute parallel for map(tofrom: a[0:n]) map(to: b[0:n], c[0:n])
    for (int i = 0; i < n; i++)
        a[i] += b[i];
    printf("%g %g\n", a[n - 1], c[1]);
    free(a);
    free(b);
    free(c);
    return 0;
}
