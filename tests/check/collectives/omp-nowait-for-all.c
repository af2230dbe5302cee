/* expects: nothing */
/* Worksharing without barriers in all threads, and one explicit barrier behind it. */
#include <omp.h>
#include <stdio.h>

static int a[32], b[32], singles;

int main(void)
{
#pragma omp parallel
    {
#pragma omp for nowait
        for (int i = 0; i < 32; i++)
            a[i] = i;
#pragma omp single nowait
        singles++;
#pragma omp sections nowait
        {
#pragma omp section
            b[0] = 1;
#pragma omp section
            b[1] = 2;
        }
#pragma omp barrier
    }
    printf("%d %d %d\n", a[31], b[0] + b[1], singles);
    printf("done\n");
    return 0;
}
