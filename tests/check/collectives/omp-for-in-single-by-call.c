/* expects: error OMM301 */
/* A single region calls a function with a worksharing loop. */
#include <omp.h>
#include <stdio.h>

static int a[64];

static void fill(void)
{
#pragma omp for schedule(dynamic)
    for (int i = 0; i < 64; i++)
        a[i] = i;
}

int main(void)
{
#pragma omp parallel
    {
#pragma omp single
        fill();
    }
    printf("%d\n", a[1]);
    printf("done\n");
    return 0;
}
