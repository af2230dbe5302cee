/* expects: nothing */
#include <omp.h>
#include <stdio.h>
#include <stdlib.h>
static double a[64];
static double one(int i)
{
    return 2.0 * i;
}
int main(void)
{
#pragma omp target teams distribute parallel for map(tofrom : a)
    for (int i = 0; i < 64; i++)
        a[i] = one(i);
#pragma omp target map(tofrom : a)
#pragma omp parallel
    {
#pragma omp for
        for (int i = 0; i < 64; i++)
            a[i] += 1;
#pragma omp single
        a[0] = 7;
    }
    printf("%g\n", a[0]);
    return 0;
}
