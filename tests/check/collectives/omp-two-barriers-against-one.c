/* expects: error OMM301 */
/* One side of the branch has a barrier more than the other. */
#include <omp.h>
#include <stdio.h>

int main(void)
{
#pragma omp parallel
    {
        if (omp_get_thread_num() == 0) {
#pragma omp barrier
#pragma omp barrier
        } else {
#pragma omp barrier
        }
    }
    printf("done\n");
    return 0;
}
