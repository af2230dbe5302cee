/* expects: error OMM301 */
/* The body of a combined parallel for calls a barrier, six times over four threads. */
#include <omp.h>
#include <stdio.h>

static int total;

static void add(int i)
{
#pragma omp atomic
    total += i;
#pragma omp barrier
}

int main(void)
{
#pragma omp parallel for schedule(static)
    for (int i = 0; i < 6; i++)
        add(i);
    printf("total %d\n", total);
    printf("done\n");
    return 0;
}
