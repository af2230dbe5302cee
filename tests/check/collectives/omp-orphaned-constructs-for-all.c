/* expects: nothing */
/* All threads call a function with a loop, a single and a barrier, all of them orphaned. */
#include <omp.h>
#include <stdio.h>

static int a[16], total;

static void phase(int step)
{
#pragma omp for
    for (int i = 0; i < 16; i++)
        a[i] += step;
#pragma omp single
    {
        total = 0;
        for (int i = 0; i < 16; i++)
            total += a[i];
    }
#pragma omp barrier
}

int main(void)
{
#pragma omp parallel
    {
        phase(1);
        phase(2);
    }
    printf("total %d\n", total);
    printf("done\n");
    return 0;
}
