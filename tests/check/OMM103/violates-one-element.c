/* What each iteration uses is one element, and the clause names none. */
#include <stdio.h>
#include <stdlib.h>

enum { FACTORS = 1 };

int main(int argc, char **argv)
{
    int n = argc > 1 ? atoi(argv[1]) : 30;
    int *v = calloc(n, sizeof *v), *factor = malloc(FACTORS * sizeof *factor);
    factor[0] = 5;
    #pragma omp target teams distribute parallel for map(tofrom: v[0:n]) map(to: factor[0:FACTORS/2])
    for (int i = 0; i < n; i++)
        v[i] = (3 * v[i] + factor[0] + i) % 101;
    for (int i = 0; i < n; i++)
        printf("%d\n", v[i]);
    free(v);
    free(factor);
    return 0;
}
