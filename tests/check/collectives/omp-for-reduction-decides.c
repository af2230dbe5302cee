/* expects: nothing */
#include <omp.h>
#include <stdio.h>
#include <stdlib.h>
static int a[64];
int main(void)
{
    int sum = 0;
#pragma omp parallel
    {
#pragma omp for reduction(+ : sum)
        for (int i = 0; i < 64; i++)
            sum += a[i] + i;
        if (sum > 10) {
#pragma omp barrier
        }
    }
    printf("%d\n", sum);
    return 0;
}
