/* Each iteration has memory of its own. */
#include <stdio.h>
#include <stdlib.h>

int main(void)
{
    int n = 40;
    double sum = 0.0;
    for (int t = 0; t < 4; t++) {
        double *a = malloc(n * sizeof *a);
        for (int i = 0; i < n; i++)
            a[i] = t;
        #pragma omp target teams distribute parallel for map(tofrom: a[0:n])
        for (int i = 0; i < n; i++)
            a[i] += i;
        for (int i = 0; i < n; i++)
            sum += a[i];
        free(a);
    }
    printf("%g\n", sum);
    return 0;
}
