/* expects: warning OMM301 */
/* Each side has its own barrier: every thread meets one, but not the same one. */
#include <omp.h>
#include <stdio.h>

int main(void)
{
#pragma omp parallel
    {
        if (omp_get_thread_num() % 2) {
#pragma omp barrier
        } else {
#pragma omp barrier
        }
    }
    printf("done\n");
    return 0;
}
