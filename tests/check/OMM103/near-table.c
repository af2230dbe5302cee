/* Of a table that is longer the kernel uses the first elements: the subscript is what is left of a division. */
#include <stdio.h>
#include <stdlib.h>

int main(int argc, char **argv)
{
    int n = argc > 1 ? atoi(argv[1]) : 30, m = 8;
    int *v = calloc(n, sizeof *v), *table = malloc(2 * m * sizeof *table), *at = malloc(n * sizeof *at);
    for (int i = 0; i < 2 * m; i++)
        table[i] = i * i + 1;
    for (int i = 0; i < n; i++)
        at[i] = i % (2 * m);
    #pragma omp target teams distribute parallel for map(tofrom: v[0:n]) map(to: table[0:m])
    for (int i = 0; i < n; i++)
        v[i] += table[i % m];
    #pragma omp target teams distribute parallel for map(tofrom: v[0:n]) map(to: table[0:2 * m], at[0:n])
    for (int i = 0; i < n; i++)
        v[i] += table[at[i]];
    for (int i = 0; i < n; i++)
        printf("%d\n", v[i]);
    free(v);
    free(table);
    free(at);
    return 0;
}
