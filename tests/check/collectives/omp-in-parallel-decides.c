/* expects: nothing */
/* omp_in_parallel answers the same to all threads of the team. */
#include <omp.h>
#include <stdio.h>

static void sync_if_needed(void)
{
    if (omp_in_parallel()) {
#pragma omp barrier
    }
}

int main(void)
{
    sync_if_needed();
#pragma omp parallel
    {
        sync_if_needed();
    }
    printf("done\n");
    return 0;
}
