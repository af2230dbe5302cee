/* each element is written before it is read */
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
    #pragma omp target teams distribute parallel for map(from: a[0:N])
    for (int i = 0; i < N; i++) {
        a[i] = 3 * i;
        a[i] += 5;
    }
    for (int i = 0; i < N; i++)
        printf("%g %g\n", a[i], b[i]);
    free(a);
    free(b);
    return 0;
}
