/* expects: nothing */
/* All threads recurse to the same depth with a barrier on every level. */
#include <omp.h>
#include <stdio.h>

static int levels;

static void down(int n)
{
    if (n == 0)
        return;
#pragma omp barrier
#pragma omp single
    levels++;
    down(n - 1);
}

int main(void)
{
#pragma omp parallel
    {
        down(4);
    }
    printf("levels %d\n", levels);
    printf("done\n");
    return 0;
}
