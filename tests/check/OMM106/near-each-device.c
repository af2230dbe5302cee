/* A device in each iteration, which has what it needs. */
#include <stdio.h>
#include <stdlib.h>

int main(void)
{
    double *a = malloc(40 * sizeof *a);
    for (int i = 0; i < 40; i++)
        a[i] = i;
    for (int d = 0; d < 2; d++) {
        #pragma omp target enter data map(to: a[20 * d:20]) device(d)
        #pragma omp target teams distribute parallel for device(d)
        for (int i = 0; i < 20; i++)
            a[20 * d + i] *= 2;
        #pragma omp target exit data map(from: a[20 * d:20]) device(d)
    }
    printf("%g %g\n", a[3], a[39]);
    free(a);
    return 0;
}
