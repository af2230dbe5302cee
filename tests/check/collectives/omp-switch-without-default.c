/* expects: error OMM301 */
/* The switch has a barrier for threads 0 and 1 only. */
#include <omp.h>
#include <stdio.h>

int main(void)
{
#pragma omp parallel
    {
        switch (omp_get_thread_num()) {
        case 0:
        case 1: {
#pragma omp barrier
            break;
        }
        }
    }
    printf("done\n");
    return 0;
}
