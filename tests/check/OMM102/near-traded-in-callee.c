/* the pointers trade places in a function */
#include <stdio.h>
#include <stdlib.h>

enum { N = 64, STEPS = 3 };

static void run(double *a, double *b, int steps)
{
    for (int t = 0; t < steps; t++) {
        #pragma omp target teams distribute parallel for map(to: a[0:N]) map(from: b[0:N])
        for (int i = 0; i < N; i++)
            b[i] = 0.5 * a[i] + i;
        double *swap = a;
        a = b;
        b = swap;
    }
}

int main(void)
{
    double *a = malloc(N * sizeof *a), *b = malloc(N * sizeof *b);
    for (int i = 0; i < N; i++) {
        a[i] = i + 1;
        b[i] = 2 * i + 3;
    }
    #pragma omp target data map(tofrom: a[0:N], b[0:N])
    run(a, b, STEPS);
    for (int i = 0; i < N; i++)
        printf("%g %g\n", a[i], b[i]);
    free(a);
    free(b);
    return 0;
}
