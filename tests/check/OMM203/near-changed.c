/* The host changes the table in one of the branches. */
#include <stdio.h>
#include <stdlib.h>

int main(int argc, char **argv)
{
    int n = 40, every = argc > 1 ? atoi(argv[1]) : 3;
    double *v = calloc(n, sizeof *v), *w = malloc(n * sizeof *w);
    for (int i = 0; i < n; i++)
        w[i] = i + 1;
    for (int t = 0; t < 6; t++) {
        v[0] = t;
        if (t % every == 1)
            w[t] += 1.0;
        #pragma omp target teams distribute parallel for map(tofrom: v[0:n]) map(to: w[0:n])
        for (int i = 0; i < n; i++)
            v[i] += 0.5 * w[i];
    }
    printf("%g %g\n", v[0], v[n - 1]);
    free(v);
    free(w);
    return 0;
}
