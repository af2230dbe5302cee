/* Every third element is no section. */
#include <stdio.h>
#include <stdlib.h>

int main(void)
{
    int n = 42;
    double *a = malloc(n * sizeof *a), sum = 0.0;
    for (int i = 0; i < n; i++)
        a[i] = i;
    #pragma omp target teams distribute parallel for map(to: a[0:n]) map(tofrom: sum) reduction(+: sum)
    for (int i = 0; i < n; i += 3)
        sum += a[i];
    printf("%g\n", sum);
    free(a);
    return 0;
}
