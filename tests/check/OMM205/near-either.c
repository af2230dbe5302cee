/* On one of two ways the host fills the array in between. */
#include <stdio.h>
#include <stdlib.h>

static void start(double *a, int n, double with)
{
    for (int i = 0; i < n; i++)
        a[i] = with;
}

int main(int argc, char **argv)
{
    (void)argv;
    int n = 40;
    double *a = malloc(n * sizeof *a);
    start(a, n, 1.0);
    #pragma omp target teams distribute parallel for map(tofrom: a[0:n])
    for (int i = 0; i < n; i++)
        a[i] += i;
    if (argc < 2)
        start(a, n, 2.0);
    #pragma omp target teams distribute parallel for map(tofrom: a[0:n])
    for (int i = 0; i < n; i++)
        a[i] *= 2.0;
    for (int i = 0; i < n; i++)
        printf("%g\n", a[i]);
    free(a);
    return 0;
}
