/* Each edge counts at both of its ends, and half of what that needs is mapped. */
#include <stdio.h>
#include <stdlib.h>

int main(int argc, char **argv)
{
    int n = 20, edges = 10 * (argc + 1);
    int *first = malloc((n + 1) * sizeof *first), *target = malloc(2 * edges * sizeof *target);
    double *sum = calloc(n, sizeof *sum);
    for (int v = 0; v <= n; v++)
        first[v] = v * (2 * edges / n);
    for (int e = 0; e < 2 * edges; e++)
        target[e] = 3 * e + 1;
    #pragma omp target teams distribute parallel for map(to: first[0:n + 1], target[0:edges]) map(tofrom: sum[0:n])
    for (int v = 0; v < n; v++)
        for (int e = first[v]; e < first[v + 1]; e++)
            sum[v] += target[e];
    for (int v = 0; v < n; v++)
        printf("%g\n", sum[v]);
    free(first);
    free(target);
    free(sum);
    return 0;
}
