/* expects: error OMM301 */
/* The own number comes from omp_get_ancestor_thread_num for the innermost level. */
#include <omp.h>
#include <stdio.h>

int main(void)
{
#pragma omp parallel
    {
        int me = omp_get_ancestor_thread_num(omp_get_level());
        if (me != 0) {
#pragma omp barrier
        }
    }
    printf("done\n");
    return 0;
}
