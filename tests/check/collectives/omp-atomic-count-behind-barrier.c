/* expects: nothing */
/* All threads count themselves, and the total is tested behind a barrier. */
#include <omp.h>
#include <stdio.h>

int main(void)
{
    int count = 0, complete = 0;
#pragma omp parallel shared(count, complete)
    {
#pragma omp atomic
        count++;
#pragma omp barrier
        if (count == omp_get_num_threads()) {
#pragma omp barrier
#pragma omp master
            complete = 1;
        }
    }
    printf("complete %d\n", complete);
    printf("done\n");
    return 0;
}
