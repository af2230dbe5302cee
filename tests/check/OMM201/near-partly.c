/* Elements that the kernel leaves alone go both ways. */
#include <stdio.h>
#include <stdlib.h>

int main(void)
{
    int n = 40;
    double *a = malloc(n * sizeof *a);
    for (int i = 0; i < n; i++)
        a[i] = i;
    #pragma omp target teams distribute parallel for map(tofrom: a[0:n])
    for (int i = 1; i < n - 1; i++)
        a[i] = 2.0 * i;
    printf("%g %g\n", a[0], a[n - 1]);
    free(a);
    return 0;
}
