/* expects: error OMM301 */
/* Without copyprivate only the thread that ran the single has its private flag set. */
#include <omp.h>
#include <stdio.h>

int main(void)
{
#pragma omp parallel
    {
        int mine = 0;
#pragma omp single
        mine = 1;
        if (mine) {
#pragma omp barrier
        }
    }
    printf("done\n");
    return 0;
}
