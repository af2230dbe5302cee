/* A row is mapped where the kernel works on all rows but the first and the last. */
#include <stdio.h>
#include <stdlib.h>

static void sweep(const double *a, double *b, int n)
{
    #pragma omp target teams distribute parallel for collapse(2) map(to: a[0:n]) map(tofrom: b[0:n * n])
    for (int i = 1; i < n - 1; i++)
        for (int j = 1; j < n - 1; j++)
            b[i * n + j] = a[(i - 1) * n + j] + a[(i + 1) * n + j] + a[i * n + j - 1] + a[i * n + j + 1];
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
