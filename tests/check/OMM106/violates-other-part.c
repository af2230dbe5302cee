/* One half has ended, and the kernel works on that. */
#include <stdio.h>
#include <stdlib.h>

int main(void)
{
    double *a = malloc(80 * sizeof *a), *high = a + 40;
    for (int i = 0; i < 80; i++)
        a[i] = i;
    #pragma omp target enter data map(to: a[0:40]) map(to: a[40:40])
    #pragma omp target exit data map(from: a[40:40])
    #pragma omp target teams distribute parallel for
    for (int i = 0; i < 40; i++)
        high[i] *= 2;
    #pragma omp target exit data map(from: a[0:40])
    printf("%g %g\n", a[1], a[79]);
    free(a);
    return 0;
}
