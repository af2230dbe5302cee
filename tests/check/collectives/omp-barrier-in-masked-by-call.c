/* expects: error OMM301 */
/* A function with a barrier is called from a masked region, the successor of master. */
#include <omp.h>
#include <stdio.h>

static void sync_all(void)
{
#pragma omp barrier
}

int main(void)
{
    int seen = 0;
#pragma omp parallel shared(seen)
    {
#pragma omp masked
        {
            seen = omp_get_thread_num() + 1;
            sync_all();
        }
    }
    printf("seen %d\n", seen);
    printf("done\n");
    return 0;
}
