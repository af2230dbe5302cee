/* expects: nothing */
/* The barrier between writing and testing the shared flag is in a called function. */
#include <omp.h>
#include <stdio.h>

static void sync_all(void)
{
#pragma omp barrier
}

int main(void)
{
    int s = 0;
#pragma omp parallel shared(s)
    {
        if (omp_get_thread_num() == 0)
            s = 4;
        sync_all();
        if (s == 4)
            sync_all();
    }
    printf("s %d\n", s);
    printf("done\n");
    return 0;
}
