/* Two parts are mapped, and each is updated by itself. */
#include <stdio.h>
#include <stdlib.h>

int main(int argc, char **argv)
{
    int n = 40 + argc, h = n / 2;
    double *a = malloc(n * sizeof *a);
    for (int i = 0; i < n; i++)
        a[i] = i;
    #pragma omp target enter data map(to: a[0:h]) map(to: a[h:n-h])
    #pragma omp target teams distribute parallel for map(tofrom: a[0:h])
    for (int i = 0; i < h; i++)
        a[i] *= 2;
    #pragma omp target update from(a[0:h / 2])
    #pragma omp target update from(a[h / 2:h - h / 2])
    #pragma omp target exit data map(release: a[0:h], a[h:n-h])
    for (int i = 0; i < n; i++)
        printf("%g\n", a[i]);
    free(a);
    return 0;
}
