/* expects: nothing */
/* The reduced sum is shared and complete behind the loop's barrier. */
#include <omp.h>
#include <stdio.h>

int main(void)
{
    int sum = 0, extra = 0;
#pragma omp parallel shared(sum, extra)
    {
#pragma omp for reduction(+ : sum)
        for (int i = 0; i < 10; i++)
            sum += i;
        if (sum > 40) {
#pragma omp barrier
#pragma omp master
            extra = 1;
        }
    }
    printf("sum %d extra %d\n", sum, extra);
    printf("done\n");
    return 0;
}
