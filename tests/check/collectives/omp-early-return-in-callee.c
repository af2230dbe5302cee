/* expects: error OMM301 */
/* The called function returns before its barrier in all threads but the last. */
#include <omp.h>
#include <stdio.h>

static void work(int me, int n)
{
    if (me != n - 1)
        return;
#pragma omp barrier
}

int main(void)
{
#pragma omp parallel
    {
        work(omp_get_thread_num(), omp_get_num_threads());
    }
    printf("done\n");
    return 0;
}
