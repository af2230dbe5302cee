/* expects: nothing */
/* The private variable once held the thread number but holds a constant when it is tested. */
#include <omp.h>
#include <stdio.h>

int main(void)
{
    int total = 0;
#pragma omp parallel shared(total)
    {
        int k = omp_get_thread_num();
#pragma omp atomic
        total += k * 0;
        k = 2;
        while (k-- > 0) {
#pragma omp barrier
        }
    }
    printf("total %d\n", total);
    printf("done\n");
    return 0;
}
