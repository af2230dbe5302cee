/* The kernel reads `b` by a pointer into it. */
#include <stdio.h>
#include <stdlib.h>

int main(void)
{
    int n = 40;
    double *a = calloc(n, sizeof *a), *b = malloc(2 * n * sizeof *b);
    for (int i = 0; i < 2 * n; i++)
        b[i] = i * i + 1;
    #pragma omp target data map(tofrom: a[0:n]) map(to: b[0:2 * n])
    {
        const double *half = b + n;
        #pragma omp target teams distribute parallel for
        for (int i = 0; i < n; i++)
            a[i] += half[i] - half[i - n];
    }
    for (int i = 0; i < n; i++)
        printf("%g\n", a[i]);
    free(a);
    free(b);
    return 0;
}
