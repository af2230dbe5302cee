/* expects: error OMM301 */
/* Thread 0 continues past the barrier in one turn of the loop. */
#include <omp.h>
#include <stdio.h>

int main(void)
{
#pragma omp parallel
    {
        int me = omp_get_thread_num();
        for (int i = 0; i < 3; i++) {
            if (i == 1 && me == 0)
                continue;
#pragma omp barrier
        }
    }
    printf("done\n");
    return 0;
}
