/* two updates copy all of it */
#include <stdio.h>
#include <stdlib.h>

enum { N = 64 };

int main(void)
{
    double *a = malloc(N * sizeof *a), *b = malloc(N * sizeof *b);
    for (int i = 0; i < N; i++) {
        a[i] = i + 1;
        b[i] = 2 * i + 3;
    }
    #pragma omp target data map(to: a[0:N])
    {
        #pragma omp target teams distribute parallel for
        for (int i = 0; i < N; i++)
            a[i] += 1;
        #pragma omp target update from(a[0:N / 2])
        #pragma omp target update from(a[N / 2:N - N / 2])
    }
    for (int i = 0; i < N; i++)
        printf("%g %g\n", a[i], b[i]);
    free(a);
    free(b);
    return 0;
}
