/* The function maps nothing where the length that it is given is none: what is on the device is one part, and nothing comes back. */
#include <stdio.h>
#include <stdlib.h>

enum { N = 100 };

static void half(double *v, int n)
{
    if (n > 0) {
        #pragma omp target teams distribute parallel for map(tofrom: v[0:n])
        for (int i = 0; i < n; i++)
            v[i] = 0.5 * v[i];
    }
}

int main(void)
{
    double *v = malloc(N * sizeof *v);
    #pragma omp target data map(alloc: v[0:N])
    {
        #pragma omp target teams distribute parallel for
        for (int i = 0; i < N; i++)
            v[i] = i;
        half(v, N);
        half(v, -3);
    }
    for (int i = 0; i < N; i++)
        printf("%g\n", v[i]);
    free(v);
    return 0;
}
