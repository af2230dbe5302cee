/* three arrays take turns, and another one comes back */
#include <stdio.h>
#include <stdlib.h>

enum { N = 64, STEPS = 3 };

int main(void)
{
    double *a = malloc(N * sizeof *a), *b = malloc(N * sizeof *b), *c = malloc(N * sizeof *c);
    for (int i = 0; i < N; i++) {
        a[i] = i + 1;
        b[i] = 2 * i + 3;
        c[i] = 0;
    }
    #pragma omp target enter data map(to: a[0:N], b[0:N]) map(alloc: c[0:N])
    for (int t = 0; t < STEPS; t++) {
        #pragma omp target teams distribute parallel for map(to: a[0:N], b[0:N]) map(from: c[0:N])
        for (int i = 0; i < N; i++)
            c[i] = 2 * b[i] - a[i] + i;
        double *oldest = a;
        a = b;
        b = c;
        c = oldest;
    }
    #pragma omp target exit data map(release: a[0:N], b[0:N]) map(from: c[0:N])
    for (int i = 0; i < N; i++)
        printf("%g\n", b[i]);
    free(a);
    free(b);
    free(c);
    return 0;
}
