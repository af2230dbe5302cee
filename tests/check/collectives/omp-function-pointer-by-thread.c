/* expects: error OMM301 */
/* The thread number picks which function is called through a pointer; one has a barrier. */
#include <omp.h>
#include <stdio.h>

static void waits(void)
{
#pragma omp barrier
}

static void passes(void)
{
}

int main(void)
{
#pragma omp parallel
    {
        void (*step)(void) = omp_get_thread_num() % 2 ? waits : passes;
        step();
    }
    printf("done\n");
    return 0;
}
