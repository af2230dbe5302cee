/* expects: nothing */
/* The size of the team is the same for all its threads. */
#include <omp.h>
#include <stdio.h>

int main(void)
{
    int turns = 0;
#pragma omp parallel shared(turns)
    {
        int n = omp_get_num_threads();
        if (n > 1) {
#pragma omp barrier
        }
        for (int i = 0; i < n; i++) {
            if (i == omp_get_thread_num())
                turns++;
#pragma omp barrier
        }
    }
    printf("%s\n", turns > 0 ? "all had a turn" : "none");
    printf("done\n");
    return 0;
}
