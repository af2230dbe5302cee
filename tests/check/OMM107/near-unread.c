/* nobody reads the scalar behind the region */
#include <stdio.h>
#include <stdlib.h>

enum { N = 64 };

int main(void)
{
    double *a = malloc(N * sizeof *a), *b = malloc(N * sizeof *b);
    for (int i = 0; i < N; i++) {
        a[i] = i + 1;
        b[i] = 2 * i + 3;
    }
    double scratch = 0;
    #pragma omp target map(tofrom: a[0:N])
    for (int i = 0; i < N; i++) {
        scratch = a[i] * 2;
        a[i] = scratch;
    }
    scratch = 1;
    printf("%g\n", scratch);
    for (int i = 0; i < N; i++)
        printf("%g %g\n", a[i], b[i]);
    free(a);
    free(b);
    return 0;
}
