/* expects: nothing */
/* One thread writes a shared flag, and a barrier stands before all of them test it. */
#include <omp.h>
#include <stdio.h>

int main(void)
{
    int s = 0;
#pragma omp parallel shared(s)
    {
        if (omp_get_thread_num() == 0)
            s = 1;
#pragma omp barrier
        if (s) {
#pragma omp barrier
        }
    }
    printf("done\n");
    return 0;
}
