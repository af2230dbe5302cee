/* expects: error OMM301 */
/* Inside the region the reduction variable is still the own partial sum. */
#include <omp.h>
#include <stdio.h>

int main(void)
{
    int sum = 0;
#pragma omp parallel reduction(+ : sum)
    {
#pragma omp for
        for (int i = 0; i < 2; i++)
            sum += 1;
        if (sum > 0) {
#pragma omp barrier
        }
    }
    printf("sum %d\n", sum);
    printf("done\n");
    return 0;
}
