/* Who calls `made` reads what has not come back. */
#include <stdio.h>
#include <stdlib.h>

static double *made(int n)
{
    double *a = malloc(n * sizeof *a);
    #pragma omp target teams distribute parallel for map(alloc: a[0:n])
    for (int i = 0; i < n; i++)
        a[i] = 0.5 * i;
    return a;
}

int main(void)
{
    double *a = made(30);
    printf("%g\n", a[29]);
    free(a);
    return 0;
}
