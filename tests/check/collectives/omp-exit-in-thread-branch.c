/* expects: nothing */
/* A thread that finds something wrong ends the whole program, so the others need no partner. */
#include <omp.h>
#include <stdio.h>
#include <stdlib.h>

int main(void)
{
#pragma omp parallel
    {
        if (omp_get_thread_num() > 1000) {
            fprintf(stderr, "too many threads\n");
            exit(1);
        }
#pragma omp barrier
    }
    printf("done\n");
    return 0;
}
