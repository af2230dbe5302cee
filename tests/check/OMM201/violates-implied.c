/* No clause names `field`: it is mapped `tofrom`, and the first kernel fills it. */
#include <stdio.h>
#include <stdlib.h>

enum { CELLS = 64 };
static int field[CELLS];

static void fill(int by)
{
    #pragma omp target teams distribute parallel for
    for (int i = 0; i < CELLS; i++)
        field[i] = by * i;
}

int main(void)
{
    fill(3);
    int sum = 0;
    for (int i = 0; i < CELLS; i++)
        sum += field[i];
    printf("%d\n", sum);
    return 0;
}
