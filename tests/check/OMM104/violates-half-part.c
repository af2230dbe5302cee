/* Two parts of one array, each with a copy of its own; of one of them half comes back. */
#include <stdio.h>
#include <stdlib.h>

int main(int argc, char **argv)
{
    int n = 40 + argc, h = n / 2;
    double *a = malloc(n * sizeof *a);
    for (int i = 0; i < n; i++)
        a[i] = i;
    #pragma omp target enter data map(to: a[0:h]) map(to: a[h:n-h])
    for (int t = 0; t < 3; t++) {
        #pragma omp target teams distribute parallel for map(tofrom: a[0:h])
        for (int i = 0; i < h; i++)
            a[i] += t;
        #pragma omp target teams distribute parallel for map(tofrom: a[h:n-h])
        for (int i = h; i < n; i++)
            a[i] -= t;
    }
    #pragma omp target exit data map(from: a[0:h / 2]) map(from: a[h:n-h])
    for (int i = 0; i < n; i++)
        printf("%g\n", a[i]);
    free(a);
    return 0;
}
