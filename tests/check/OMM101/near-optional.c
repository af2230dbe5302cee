/* an array that may not be there */
#include <stdio.h>
#include <stdlib.h>

enum { N = 64, STEPS = 3 };

static void scale(double *a, double *b, int with)
{
    double *w = NULL;
    if (with)
        w = b;
    #pragma omp target enter data map(to: a[0:N])
    if (w) {
        #pragma omp target enter data map(to: w[0:N])
    }
    #pragma omp target teams distribute parallel for map(tofrom: a[0:N])
    for (int i = 0; i < N; i++)
        a[i] *= 2;
    if (w) {
        #pragma omp target teams distribute parallel for map(to: w[0:N]) map(tofrom: a[0:N])
        for (int i = 0; i < N; i++)
            a[i] += w[i];
        #pragma omp target exit data map(release: w[0:N])
    }
    #pragma omp target exit data map(from: a[0:N])
}

int main(void)
{
    double *a = malloc(N * sizeof *a), *b = malloc(N * sizeof *b);
    for (int i = 0; i < N; i++) {
        a[i] = i + 1;
        b[i] = 2 * i + 3;
    }
    scale(a, b, 0);
    scale(a, b, 1);
    for (int i = 0; i < N; i++)
        printf("%g %g\n", a[i], b[i]);
    free(a);
    free(b);
    return 0;
}
