/* Where `enter` does not return, nothing is missing on the device. */
#include <stdio.h>
#include <stdlib.h>

static void enter(double *a, int n, int ok)
{
    if (!ok) {
        fprintf(stderr, "no\n");
        exit(2);
    }
    #pragma omp target enter data map(to: a[0:n])
}

int main(int argc, char **argv)
{
    int n = 50 + argc;
    double *a = malloc(n * sizeof *a);
    if (!a)
        abort();
    for (int i = 0; i < n; i++)
        a[i] = i;
    enter(a, n, argc < 9);
    #pragma omp target teams distribute parallel for
    for (int i = 0; i < n; i++)
        a[i] += 2;
    #pragma omp target update from(a[0:n])
    printf("%g\n", a[3]);
    #pragma omp target exit data map(delete: a[0:n])
    free(a);
    return 0;
}
