/* expects: nothing */
#include <omp.h>
#include <stdio.h>
#include <stdlib.h>
static int a[32];
static void fill(int i)
{
    a[i] = i;
}
int main(void)
{
#pragma omp parallel
    {
#pragma omp single
        {
#pragma omp taskloop
            for (int i = 0; i < 32; i++)
                fill(i);
            for (int i = 0; i < 4; i++) {
#pragma omp task firstprivate(i)
                fill(i);
            }
#pragma omp taskwait
        }
#pragma omp for
        for (int i = 0; i < 32; i++)
            a[i]++;
    }
    printf("%d\n", a[3]);
    return 0;
}
