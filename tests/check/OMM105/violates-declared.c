/* an array is shorter than what a region maps of it */
#include <stdio.h>
#include <stdlib.h>

enum { N = 64 };

int main(void)
{
    double sum = 0;
    double *guard = calloc(N, sizeof *guard), *a = calloc(N / 2, sizeof *a), *behind = calloc(N, sizeof *behind);
    for (int i = 0; i < N; i++)
        guard[i] = behind[i] = i;
    #pragma omp target data map(from: a[0:N])
    {
        #pragma omp target teams distribute parallel for
        for (int i = 0; i < N / 2; i++)
            a[i] = i;
    }
    for (int i = 0; i < N / 2; i++)
        sum += a[i];
    for (int i = 0; i < N; i++)
        printf("%g %g %g\n", sum, guard[i], behind[i]);
    free(guard);
    free(a);
    free(behind);
    return 0;
}
