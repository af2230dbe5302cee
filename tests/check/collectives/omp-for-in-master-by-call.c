/* expects: error OMM301 */
/* The master thread alone calls a function with a worksharing loop. */
#include <omp.h>
#include <stdio.h>

static int a[64];

static void fill(void)
{
#pragma omp for
    for (int i = 0; i < 64; i++)
        a[i] = i;
}

int main(void)
{
#pragma omp parallel
    {
#pragma omp master
        fill();
    }
    printf("%d\n", a[1]);
    printf("done\n");
    return 0;
}
