/* expects: nothing */
/* The same function with worksharing is called outside of any parallel region, too. */
#include <omp.h>
#include <stdio.h>

static int a[16];

static void fill(int v)
{
#pragma omp for
    for (int i = 0; i < 16; i++)
        a[i] = v;
#pragma omp barrier
}

int main(int argc, char **argv)
{
    (void)argv;
    if (argc > 0)
        fill(1);
#pragma omp parallel
    fill(2);
    printf("a %d\n", a[7]);
    return 0;
}
