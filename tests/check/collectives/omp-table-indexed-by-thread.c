/* expects: warning OMM301 */
/* The table is the same for all; the index into it is the thread number. */
#include <omp.h>
#include <stdio.h>

static const int role[8] = {0, 1, 1, 0, 1, 0, 0, 1};

int main(void)
{
#pragma omp parallel
    {
        if (role[omp_get_thread_num() % 8]) {
#pragma omp barrier
        }
    }
    printf("done\n");
    return 0;
}
