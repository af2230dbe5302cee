/* expects: nothing */
/* Every thread has its own copy of one and the same value. */
#include <omp.h>
#include <stdio.h>

int main(void)
{
    int rounds = 3, total = 0;
#pragma omp parallel firstprivate(rounds) shared(total)
    {
        while (rounds > 0) {
#pragma omp barrier
#pragma omp master
            total++;
            rounds--;
        }
    }
    printf("total %d\n", total);
    printf("done\n");
    return 0;
}
