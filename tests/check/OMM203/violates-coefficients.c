/* `w` is the same in each iteration. */
#include <stdio.h>
#include <stdlib.h>

int main(void)
{
    int n = 40;
    double *v = calloc(n, sizeof *v), *w = malloc(n * sizeof *w);
    for (int i = 0; i < n; i++)
        w[i] = i;
    for (int t = 0; t < 6; t++) {
        v[0] = t;
        #pragma omp target teams distribute parallel for map(tofrom: v[0:n]) map(to: w[0:n])
        for (int i = 0; i < n; i++)
            v[i] += 0.5 * w[i];
    }
    printf("%g %g\n", v[0], v[n - 1]);
    free(v);
    free(w);
    return 0;
}
