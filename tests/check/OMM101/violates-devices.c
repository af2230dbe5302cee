/* What one device has written the other one has not got. */
#include <stdio.h>
#include <stdlib.h>

int main(void)
{
    static double a[64], b[64];
    #pragma omp target enter data map(to: a) device(0)
    #pragma omp target enter data map(to: a) device(1)
    #pragma omp target teams distribute parallel for device(0)
    for (int i = 0; i < 64; i++)
        a[i] = i;
    #pragma omp target update from(a) device(0)
    #pragma omp target teams distribute parallel for map(from: b) device(1)
    for (int i = 0; i < 64; i++)
        b[i] = a[i] + 1;
    #pragma omp target exit data map(release: a) device(1)
    #pragma omp target exit data map(release: a) device(0)
    printf("%g %g\n", b[63], a[1]);
    return 0;
}
