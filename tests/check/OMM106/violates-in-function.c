/* The function that the kernel calls uses what nobody has mapped. */
#include <stdio.h>
#include <stdlib.h>

#pragma omp declare target
static double *table;
static double looked_up(int i)
{
    return table[i];
}
#pragma omp end declare target

int main(void)
{
    int n = 20;
    double a[20];
    table = malloc(n * sizeof *table);
    for (int i = 0; i < n; i++)
        table[i] = i;
    #pragma omp target teams distribute parallel for map(from: a[0:n])
    for (int i = 0; i < n; i++)
        a[i] = looked_up(i);
    printf("%g\n", a[19]);
    free(table);
    return 0;
}
