/* more is allocated than is mapped */
#include <stdio.h>
#include <stdlib.h>

enum { N = 64 };

int main(void)
{
    int n = N;
    double *a = malloc((n + 2) * sizeof *a);
    for (int i = 0; i < n + 2; i++)
        a[i] = i;
    #pragma omp target teams distribute parallel for map(tofrom: a[0:n + 1])
    for (int i = 0; i < n + 1; i++)
        a[i] *= 2;
    for (int i = 0; i < n + 2; i++)
        printf("%g\n", a[i]);
    free(a);
    return 0;
}
