/* expects: warning OMM301 */
/* Three leaves of nested conditions on the thread number each have one barrier. */
#include <omp.h>
#include <stdio.h>

int main(void)
{
#pragma omp parallel
    {
        int me = omp_get_thread_num();
        if (me == 0) {
#pragma omp barrier
        } else {
            if (me % 2) {
#pragma omp barrier
            } else {
#pragma omp barrier
            }
        }
    }
    printf("done\n");
    return 0;
}
