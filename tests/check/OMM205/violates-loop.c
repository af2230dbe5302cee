/* The host looks at one element in each iteration, and changes none. */
#include <stdio.h>
#include <stdlib.h>

static void relax(double *u, int n)
{
    #pragma omp target teams distribute parallel for map(tofrom: u[0:n])
    for (int i = 0; i < n; i++)
        u[i] = 0.5 * u[i] + 1.0;
}

int main(void)
{
    int n = 40;
    double *u = calloc(n, sizeof *u);
    for (int t = 0; t < 6; t++) {
        relax(u, n);
        printf("%g\n", u[t]);
    }
    free(u);
    return 0;
}
