/* nothing is there, and a comment beside the directive says so */
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
    #pragma omp target update to(a[0:N]) /* ompmemopt: ignore[absent-item] not yet */
    #pragma omp target teams distribute parallel for map(tofrom: a[0:N])
    for (int i = 0; i < N; i++)
        a[i] += 1;
    for (int i = 0; i < N; i++)
        printf("%g %g\n", a[i], b[i]);
    free(a);
    free(b);
    return 0;
}
