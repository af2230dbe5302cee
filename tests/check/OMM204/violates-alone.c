/* The region maps `log` alone, for nobody: without its only clause it would be no region. */
#include <stdio.h>
#include <stdlib.h>

int main(void)
{
    int n = 40;
    double *a = calloc(n, sizeof *a), *log = calloc(n, sizeof *log);
    #pragma omp target data map(to: log[0:n])
    {
        #pragma omp target teams distribute parallel for map(tofrom: a[0:n])
        for (int i = 0; i < n; i++)
            a[i] += i;
    }
    for (int i = 0; i < n; i++)
        printf("%g %g\n", a[i], log[i]);
    free(a);
    free(log);
    return 0;
}
