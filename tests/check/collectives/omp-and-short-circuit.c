/* expects: error OMM301 */
/* The call with the barrier is the right side of && behind a test of the thread number. */
#include <omp.h>
#include <stdio.h>

static int wait_here(void)
{
#pragma omp barrier
    return 1;
}

int main(void)
{
    int n = 0;
#pragma omp parallel shared(n)
    {
        if (omp_get_thread_num() < 2 && wait_here()) {
#pragma omp atomic
            n++;
        }
    }
    printf("n %d\n", n);
    printf("done\n");
    return 0;
}
