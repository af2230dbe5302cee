/* expects: error OMM301 */
/* A single with copyprivate has a barrier too, and thread 0 does not meet it. */
#include <omp.h>
#include <stdio.h>

int main(void)
{
    int total = 0;
#pragma omp parallel shared(total)
    {
        int n = 0;
        if (omp_get_thread_num() != 0) {
#pragma omp single copyprivate(n)
            n = 5;
        }
#pragma omp atomic
        total += n;
    }
    printf("total %d\n", total);
    printf("done\n");
    return 0;
}
