/* expects: nothing */
#include <omp.h>
#include <stdio.h>
#include <stdlib.h>
static _Thread_local int calls;
static int scratch;
#pragma omp threadprivate(scratch)
int main(void)
{
#pragma omp parallel
    {
        calls = omp_get_thread_num();
        scratch = calls * 2;
        for (int i = 0; i < calls; i++)
            scratch++;
#pragma omp barrier
        scratch = 3;
        if (scratch > 2) {
#pragma omp barrier
        }
    }
    printf("%d\n", scratch);
    return 0;
}
