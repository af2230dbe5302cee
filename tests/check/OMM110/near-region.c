/* a region ends before the memory does */
#include <stdio.h>
#include <stdlib.h>

enum { N = 64 };

int main(void)
{
    double sum = 0;
    for (int round = 0; round < 3; round++) {
        double *a = malloc(N * sizeof *a);
        for (int i = 0; i < N; i++)
            a[i] = i + 10 * round;
        #pragma omp target data map(tofrom: a[0:N])
        {
            #pragma omp target teams distribute parallel for
            for (int i = 0; i < N; i++)
                a[i] += 1;
        }
        for (int i = 0; i < N; i++)
            sum += a[i] * (i + 1);
        free(a);
    }
    printf("%g\n", sum);
    return 0;
}
