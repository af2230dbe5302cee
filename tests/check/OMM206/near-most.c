/* All but the ends. */
#include <stdio.h>
#include <stdlib.h>

int main(void)
{
    int n = 40;
    double *a = malloc(n * sizeof *a), *b = calloc(n, sizeof *b);
    for (int i = 0; i < n; i++)
        a[i] = i;
    #pragma omp target teams distribute parallel for map(to: a[0:n]) map(tofrom: b[0:n])
    for (int i = 2; i < n - 2; i++)
        b[i] = a[i];
    printf("%g %g\n", b[0], b[n / 2]);
    free(a);
    free(b);
    return 0;
}
