/* The host writes into both halves, and both go up. */
#include <stdio.h>

static void add(double *v, int n)
{
    #pragma omp target teams distribute parallel for map(tofrom: v[0:n])
    for (int i = 0; i < n; i++)
        v[i] += 1;
}

int main(void)
{
    static double a[80];
    #pragma omp target enter data map(to: a[0:40])
    #pragma omp target enter data map(to: a[40:40])
    for (int i = 0; i < 80; i++)
        a[i] = i;
    #pragma omp target update to(a[0:40])
    #pragma omp target update to(a[40:40])
    add(a, 40);
    add(a + 40, 40);
    #pragma omp target exit data map(from: a[0:40])
    #pragma omp target exit data map(from: a[40:40])
    for (int i = 0; i < 80; i++)
        printf("%g\n", a[i]);
    return 0;
}
