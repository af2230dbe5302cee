/* The kernel writes one element, which the host reads. */
#include <stdio.h>
#include <stdlib.h>

int main(void)
{
    int n = 40;
    double *a = malloc(n * sizeof *a);
    for (int i = 0; i < n; i++)
        a[i] = i;
    #pragma omp target data map(to: a[2:2])
    {
        #pragma omp target teams distribute parallel for
        for (int i = 3; i < 4; i++)
            a[i] += a[i - 1];
        #pragma omp target update from(a[3:1])
    }
    printf("%g\n", a[3]);
    free(a);
    return 0;
}
