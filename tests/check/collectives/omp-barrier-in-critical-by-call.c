/* expects: error OMM301 */
/* The first thread waits in the barrier and keeps the lock that the others need to get there. */
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
#pragma omp critical
        {
            sync_all();
        }
    }
    printf("done\n");
    return 0;
}
