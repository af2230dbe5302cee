/* `scratch` goes from one kernel to the next, and nobody reads it on the host. */
#include <stdio.h>
#include <stdlib.h>

static void smooth(double *v, double *scratch, int n)
{
    #pragma omp target data map(tofrom: v[0:n]) map(from: scratch[0:n])
    {
        #pragma omp target teams distribute parallel for
        for (int i = 0; i < n; i++)
            scratch[i] = i > 0 ? 0.5 * (v[i] + v[i - 1]) : v[i];
        #pragma omp target teams distribute parallel for
        for (int i = 0; i < n; i++)
            v[i] = scratch[i];
    }
}

int main(void)
{
    int n = 40;
    double *v = malloc(n * sizeof *v), *scratch = malloc(n * sizeof *scratch);
    for (int i = 0; i < n; i++)
        v[i] = i % 7;
    smooth(v, scratch, n);
    smooth(v, scratch, n);
    for (int i = 0; i < n; i++)
        printf("%g\n", v[i]);
    free(v);
    free(scratch);
    return 0;
}
