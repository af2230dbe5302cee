/* What the region holds only the host uses. */
#include <stdio.h>
#include <stdlib.h>

int main(void)
{
    int n = 40;
    double *a = calloc(n, sizeof *a), *log = calloc(n, sizeof *log);
    #pragma omp target data map(tofrom: a[0:n], log[0:n])
    for (int t = 0; t < 5; t++) {
        #pragma omp target teams distribute parallel for
        for (int i = 0; i < n; i++)
            a[i] += t;
    }
    log[0] = a[0];
    printf("%g\n", log[0]);
    free(a);
    free(log);
    return 0;
}
