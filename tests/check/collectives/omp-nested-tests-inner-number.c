/* expects: error OMM301 */
/* The inner team's own thread numbers decide on a barrier of the inner team. */
#include <omp.h>
#include <stdio.h>

int main(void)
{
    omp_set_max_active_levels(2);
#pragma omp parallel num_threads(2)
    {
#pragma omp parallel num_threads(2)
        {
            if (omp_get_thread_num() == 1) {
#pragma omp barrier
            }
        }
    }
    printf("done\n");
    return 0;
}
