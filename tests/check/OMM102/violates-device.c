/* One device, whose number a variable has: what it has written does not come back before the host reads. */
#include <stdio.h>
#include <stdlib.h>

static void fill(double *v, int n, int where)
{
    #pragma omp target teams distribute parallel for device(where)
    for (int i = 0; i < n; i++)
        v[i] += 0.5 * i;
}

int main(int argc, char **argv)
{
    int where = argc > 1 ? atoi(argv[1]) : 1;
    double *a = malloc(50 * sizeof *a);
    for (int i = 0; i < 50; i++)
        a[i] = i;
    #pragma omp target enter data map(to: a[0:50]) device(where)
    fill(a, 50, where);
    printf("%g\n", a[49]);
    #pragma omp target exit data map(from: a[0:50]) device(where)
    free(a);
    return 0;
}
