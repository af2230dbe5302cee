/* expects: error OMM301 */
/* A function with a barrier is called from a master region. */
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
#pragma omp master
        {
            sync_all();
        }
    }
    printf("done\n");
    return 0;
}
