/* expects: error OMM301 */
/* A while loop with a barrier is ended by a private counter that starts at the thread number. */
#include <omp.h>
#include <stdio.h>

int main(void)
{
    int steps = 0;
#pragma omp parallel shared(steps)
    {
        int left = 1 + omp_get_thread_num();
        int more = 1;
        while (more) {
#pragma omp atomic
            steps++;
#pragma omp barrier
            left--;
            more = left > 0;
        }
    }
    printf("steps %d\n", steps);
    printf("done\n");
    return 0;
}
