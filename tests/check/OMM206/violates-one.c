/* The host wants one element of what comes. */
#include <stdio.h>
#include <stdlib.h>

int main(void)
{
    int n = 40;
    double *a = calloc(n, sizeof *a);
    #pragma omp target data map(to: a[0:n])
    for (int t = 0; t < 5; t++) {
        #pragma omp target teams distribute parallel for
        for (int i = 0; i < n; i++)
            a[i] += i + t;
        #pragma omp target update from(a[0:n])
        printf("%g\n", a[0]);
    }
    free(a);
    return 0;
}
