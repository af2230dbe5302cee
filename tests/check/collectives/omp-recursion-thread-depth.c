/* expects: error OMM301 */
/* The recursion is as deep as the thread number and waits on every level. */
#include <omp.h>
#include <stdio.h>

static void down(int n)
{
    if (n == 0)
        return;
#pragma omp barrier
    down(n - 1);
}

int main(void)
{
#pragma omp parallel
    {
        down(omp_get_thread_num());
    }
    printf("done\n");
    return 0;
}
