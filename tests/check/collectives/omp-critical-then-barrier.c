/* expects: nothing */
/* A critical region collects a maximum, and all wait behind it. */
#include <omp.h>
#include <stdio.h>

int main(void)
{
    int most = 0, rounds = 0;
#pragma omp parallel shared(most, rounds)
    {
        int mine = omp_get_thread_num() + 1;
#pragma omp critical
        {
            if (mine > most)
                most = mine;
        }
#pragma omp barrier
        if (most > 0) {
#pragma omp single
            rounds++;
        }
    }
    printf("rounds %d\n", rounds);
    printf("done\n");
    return 0;
}
