/* expects: nothing */
/* The team has one thread, so a branch on the thread number takes all of it along. */
#include <omp.h>
#include <stdio.h>

int main(void)
{
    int n = 0;
#pragma omp parallel num_threads(1) shared(n)
    {
        if (omp_get_thread_num() == 0) {
            n++;
#pragma omp barrier
            n++;
        }
    }
    printf("n %d\n", n);
    printf("done\n");
    return 0;
}
