/* Each iteration gives the host what the next one overwrites there. */
#include <stdio.h>
#include <stdlib.h>

int main(void)
{
    int n = 40;
    double *v = calloc(n, sizeof *v);
    #pragma omp target data map(to: v[0:n])
    for (int t = 0; t < 6; t++) {
        #pragma omp target teams distribute parallel for
        for (int i = 0; i < n; i++)
            v[i] += 0.5 * t;
        #pragma omp target update from(v[0:n])
    }
    printf("%g %g\n", v[0], v[n - 1]);
    free(v);
    return 0;
}
