/* Where the outer loop runs the inner one does not: the kernel reads nothing of what it has not got. */
#include <stdio.h>
#include <stdlib.h>

int main(int argc, char **argv)
{
    int n = 30, r = argc > 1 ? -atoi(argv[1]) : -3;
    double *a = malloc(n * sizeof *a), sum = 0;
    for (int i = 0; i < n; i++)
        a[i] = i;
    for (int t = 0; t < 0 - r; t++) {
        #pragma omp target teams distribute parallel for map(alloc: a[0:n]) map(tofrom: sum) reduction(+: sum)
        for (int i = 0; i < r; i++)
            sum += a[i];
    }
    if (r > n) {
        #pragma omp target teams distribute parallel for map(to: a[0:n]) map(tofrom: sum) reduction(+: sum)
        for (int i = 0; i < n - r; i++)
            sum += a[n + i];
    }
    printf("%g\n", sum);
    free(a);
    return 0;
}
