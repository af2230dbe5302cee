/* expects: warning OMM301 */
/* Every case of a switch on the thread number has a barrier of its own. */
#include <omp.h>
#include <stdio.h>

int main(void)
{
    int seen = 0;
#pragma omp parallel shared(seen)
    {
        switch (omp_get_thread_num()) {
        case 0: {
#pragma omp barrier
            break;
        }
        case 1: {
#pragma omp atomic
            seen++;
#pragma omp barrier
            break;
        }
        default: {
#pragma omp barrier
            break;
        }
        }
    }
    printf("seen %d\n", seen);
    printf("done\n");
    return 0;
}
