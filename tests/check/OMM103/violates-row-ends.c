/* The last row ends where the element behind the last one says, and that is not mapped. */
#include <stdio.h>
#include <stdlib.h>

static void add(double *v, const int *first, int n)
{
    #pragma omp target teams distribute parallel for map(tofrom: v[0:n]) map(to: first[0:n])
    for (int i = 0; i < n; i++)
        for (int k = first[i]; k < first[i + 1]; k++)
            v[i] += k;
}

int main(int argc, char **argv)
{
    int n = argc > 1 ? atoi(argv[1]) : 30;
    double *v = calloc(n, sizeof *v);
    int *first = malloc((n + 1) * sizeof *first);
    for (int i = 0; i <= n; i++)
        first[i] = 2 * i;
    for (int t = 0; t < 3; t++)
        add(v, first, n);
    for (int i = 0; i < n; i++)
        printf("%g\n", v[i]);
    free(v);
    free(first);
    return 0;
}
