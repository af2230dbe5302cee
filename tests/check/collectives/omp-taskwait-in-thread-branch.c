/* expects: nothing */
/* taskwait waits for the own tasks only and is no collective. */
#include <omp.h>
#include <stdio.h>

int main(void)
{
    int n = 0;
#pragma omp parallel shared(n)
    {
        if (omp_get_thread_num() == 0) {
#pragma omp task shared(n)
            n = 3;
#pragma omp taskwait
            n++;
        }
#pragma omp barrier
    }
    printf("n %d\n", n);
    printf("done\n");
    return 0;
}
