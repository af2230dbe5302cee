/* expects: nothing */
#include <omp.h>
#include <stdio.h>
#include <stdlib.h>
int main(void)
{
#pragma omp parallel
    {
        int me = omp_get_thread_num();
        if (me == omp_get_num_threads() - 1)
            printf("last\n");
        else if (me == 0)
            printf("first\n");
        for (int i = 0; i < me; i++)
            fflush(stdout);
#pragma omp barrier
    }
    return 0;
}
