/* The number of the host: nothing is mapped, and nothing has to be. */
#include <omp.h>
#include <stdio.h>
#include <stdlib.h>

int main(void)
{
    int n = 40, host = omp_get_initial_device();
    double *a = malloc(n * sizeof *a);
    for (int i = 0; i < n; i++)
        a[i] = i;
    #pragma omp target teams distribute parallel for device(host)
    for (int i = 0; i < n; i++)
        a[i] *= 2;
    printf("%g\n", a[39]);
    free(a);
    return 0;
}
