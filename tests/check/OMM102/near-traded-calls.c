/* each step is a call */
#include <stdio.h>
#include <stdlib.h>

enum { N = 64, STEPS = 3 };

static void step(const double *from, double *to)
{
    #pragma omp target teams distribute parallel for map(to: from[0:N]) map(from: to[0:N])
    for (int i = 0; i < N; i++)
        to[i] = 0.5 * from[i] + i;
}

int main(void)
{
    double *a = malloc(N * sizeof *a), *b = malloc(N * sizeof *b);
    for (int i = 0; i < N; i++) {
        a[i] = i + 1;
        b[i] = 2 * i + 3;
    }
    #pragma omp target enter data map(to: a[0:N]) map(alloc: b[0:N])
    for (int t = 0; t < STEPS; t++) {
        step(a, b);
        double *swap = a;
        a = b;
        b = swap;
    }
    #pragma omp target exit data map(from: a[0:N]) map(release: b[0:N])
    for (int i = 0; i < N; i++)
        printf("%g\n", a[i]);
    free(a);
    free(b);
    return 0;
}
