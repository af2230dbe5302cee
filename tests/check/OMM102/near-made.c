/* `filled` makes arrays and puts them on the device for whoever calls it. */
#include <stdio.h>
#include <stdlib.h>

static double *filled(int n)
{
    double *a = malloc(n * sizeof *a);
    if (!a)
        exit(1);
    for (int i = 0; i < n; i++)
        a[i] = i;
    #pragma omp target enter data map(to: a[0:n])
    return a;
}

static void drop(double *a, int n)
{
    #pragma omp target exit data map(delete: a[0:n])
    free(a);
}

int main(void)
{
    int n = 50;
    double *a = filled(n), *b = filled(n);
    #pragma omp target teams distribute parallel for
    for (int i = 0; i < n; i++)
        a[i] += b[i];
    #pragma omp target update from(a[0:n])
    printf("%g\n", a[3]);
    drop(a, n);
    drop(b, n);
    return 0;
}
