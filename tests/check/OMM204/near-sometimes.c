/* The kernel reads `b` where somebody asks for it. */
#include <stdio.h>
#include <stdlib.h>

int main(int argc, char **argv)
{
    int n = 40, use = argc < 2;
    double *a = calloc(n, sizeof *a), *b = malloc(n * sizeof *b);
    for (int i = 0; i < n; i++)
        b[i] = i;
    #pragma omp target teams distribute parallel for map(tofrom: a[0:n]) map(to: b[0:n])
    for (int i = 0; i < n; i++)
        if (use)
            a[i] += b[i];
    for (int i = 0; i < n; i++)
        printf("%g\n", a[i]);
    free(a);
    free(b);
    return 0;
}
