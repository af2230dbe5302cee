/* expects: nothing */
/* The master writes, all wait and read: the barrier is outside the master region. */
#include <omp.h>
#include <stdio.h>

int main(void)
{
    int n = 0, sum = 0;
#pragma omp parallel shared(n) reduction(+ : sum)
    {
#pragma omp master
        n = 6;
#pragma omp barrier
        for (int i = 0; i < n; i++) {
#pragma omp barrier
            sum += omp_get_thread_num() == 0;
        }
    }
    printf("sum %d\n", sum);
    printf("done\n");
    return 0;
}
