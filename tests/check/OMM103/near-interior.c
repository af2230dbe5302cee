/* Where nothing is used before the first element that the kernel uses, and nothing behind the last one, nothing has to be mapped. */
#include <stdio.h>
#include <stdlib.h>

static void sweep(const double *a, double *b, int n)
{
    if (n < 3)
        return;
    #pragma omp target teams distribute parallel for collapse(2) map(to: a[n + 1:n * n - 2 * n - 2]) map(tofrom: b[0:n * n])
    for (int i = 1; i < n - 1; i++)
        for (int j = 1; j < n - 1; j++)
            b[i * n + j] = 2 * a[i * n + j];
}

int main(int argc, char **argv)
{
    int n = argc > 1 ? atoi(argv[1]) : 20;
    double *a = malloc(n * n * sizeof *a), *b = calloc(n * n, sizeof *b);
    for (int i = 0; i < n * n; i++)
        a[i] = i % 7 + 1;
    sweep(a, b, n);
    for (int i = 0; i < n * n; i++)
        printf("%g\n", b[i]);
    free(a);
    free(b);
    return 0;
}
