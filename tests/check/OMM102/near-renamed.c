/* the pointers have traded places, and the right array is copied back */
#include <stdio.h>
#include <stdlib.h>

enum { N = 64, STEPS = 3 };

int main(void)
{
    double *a = malloc(N * sizeof *a), *b = malloc(N * sizeof *b);
    for (int i = 0; i < N; i++) {
        a[i] = i + 1;
        b[i] = 2 * i + 3;
    }
    #pragma omp target enter data map(to: a[0:N]) map(alloc: b[0:N])
    for (int t = 0; t < STEPS; t++) {
        #pragma omp target teams distribute parallel for map(to: a[0:N]) map(from: b[0:N])
        for (int i = 0; i < N; i++)
            b[i] = 0.5 * a[i] + i;
        double *swap = a;
        a = b;
        b = swap;
        #pragma omp target update from(a[0:1])
        printf("%g\n", a[0]);
    }
    #pragma omp target exit data map(from: a[0:N]) map(release: b[0:N])
    for (int i = 0; i < N; i++)
        printf("%g\n", a[i]);
    free(a);
    free(b);
    return 0;
}
