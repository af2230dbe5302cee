/* expects: error OMM301 */
/* Five iterations over four threads: one thread calls the barrier twice. */
#include <omp.h>
#include <stdio.h>

static void sync_all(void)
{
#pragma omp barrier
}

int main(void)
{
#pragma omp parallel
    {
#pragma omp for
        for (int i = 0; i < 5; i++)
            sync_all();
    }
    printf("done\n");
    return 0;
}
