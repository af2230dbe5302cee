/* the next array has the address of the last one, of which the device still has a copy */
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
        #pragma omp target enter data map(to: a[0:N])
        #pragma omp target teams distribute parallel for map(tofrom: a[0:N])
        for (int i = 0; i < N; i++)
            a[i] += 1;
        #pragma omp target update from(a[0:N])
        for (int i = 0; i < N; i++)
            sum += a[i] * (i + 1);
        free(a);
    }
    printf("%g\n", sum);
    return 0;
}
