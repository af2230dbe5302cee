/* expects: nothing */
#include <omp.h>
#include <stdio.h>
#include <stdlib.h>
int main(void)
{
    int *p = NULL;
#pragma omp parallel shared(p)
    {
#pragma omp single
        {
            p = malloc(4 * sizeof *p);
            p[0] = omp_get_thread_num() >= 0;
        }
        if (p[0]) {
#pragma omp barrier
        }
    }
    printf("%d\n", p[0]);
    free(p);
    return 0;
}
