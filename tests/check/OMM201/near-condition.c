/* The kernel writes under a condition. */
#include <stdio.h>
#include <stdlib.h>

int main(int argc, char **argv)
{
    int n = 40, least = argc > 1 ? atoi(argv[1]) : 7;
    double *a = malloc(n * sizeof *a);
    for (int i = 0; i < n; i++)
        a[i] = i % 10;
    #pragma omp target teams distribute parallel for map(tofrom: a[0:n])
    for (int i = 0; i < n; i++)
        if (i % 10 > least)
            a[i] = 0.0;
    for (int i = 0; i < n; i++)
        printf("%g\n", a[i]);
    free(a);
    return 0;
}
