/* expects: warning OMM301 */
/* The array is shared and behind a barrier, but each thread tests its own slot. */
#include <omp.h>
#include <stdio.h>

int main(void)
{
    int slot[64] = {0};
#pragma omp parallel shared(slot)
    {
        int me = omp_get_thread_num();
        slot[me] = me > 1;
#pragma omp barrier
        if (slot[me]) {
#pragma omp barrier
        }
    }
    printf("done\n");
    return 0;
}
