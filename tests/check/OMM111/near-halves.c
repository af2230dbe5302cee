/* the items meet and share nothing */
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
    #pragma omp target enter data map(to: a[0:N / 2], b[0:N])
    #pragma omp target enter data map(to: a[N / 2:N / 2])
    #pragma omp target teams distribute parallel for map(tofrom: a[0:N / 2]) map(to: b[0:N])
    for (int i = 0; i < N / 2; i++)
        a[i] += b[i];
    #pragma omp target exit data map(from: a[0:N / 2])
    #pragma omp target exit data map(from: a[N / 2:N / 2])
    #pragma omp target exit data map(release: b[0:N])
    for (int i = 0; i < N; i++)
        printf("%g %g\n", a[i], b[i]);
    free(a);
    free(b);
    return 0;
}
