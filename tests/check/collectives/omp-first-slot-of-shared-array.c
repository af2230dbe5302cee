/* expects: nothing */
/* Each thread writes its own slot, and behind a barrier all test the first one. */
#include <omp.h>
#include <stdio.h>

int main(void)
{
    int slot[64] = {0};
    int waits = 0;
#pragma omp parallel shared(slot, waits)
    {
        slot[omp_get_thread_num()] = omp_get_thread_num() + 1;
#pragma omp barrier
        if (slot[0] == 1) {
#pragma omp barrier
#pragma omp single
            waits++;
        }
    }
    printf("waits %d\n", waits);
    printf("done\n");
    return 0;
}
