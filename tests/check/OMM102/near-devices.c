/* Each device has its half, and both come back. */
#include <stdio.h>
#include <stdlib.h>

int main(void)
{
    double *a = malloc(60 * sizeof *a);
    for (int i = 0; i < 60; i++)
        a[i] = i;
    #pragma omp target enter data map(to: a[0:30]) device(0)
    #pragma omp target enter data map(to: a[30:30]) device(1)
    for (int t = 0; t < 3; t++) {
        #pragma omp target teams distribute parallel for map(tofrom: a[0:30]) device(0)
        for (int i = 0; i < 30; i++)
            a[i] += 0.5 * i;
        #pragma omp target teams distribute parallel for map(tofrom: a[30:30]) device(1)
        for (int i = 30; i < 60; i++)
            a[i] -= 0.5 * i;
    }
    #pragma omp target exit data map(from: a[0:30]) device(0)
    #pragma omp target exit data map(from: a[30:30]) device(1)
    printf("%g %g\n", a[29], a[59]);
    free(a);
    return 0;
}
