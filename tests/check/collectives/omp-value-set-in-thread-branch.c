/* expects: error OMM301 */
/* A private flag is a constant on both sides, but which one depends on the thread number. */
#include <omp.h>
#include <stdio.h>

int main(void)
{
#pragma omp parallel
    {
        int flag = 0;
        if (omp_get_thread_num() < 2)
            flag = 1;
        if (flag) {
#pragma omp barrier
        }
    }
    printf("done\n");
    return 0;
}
