/* The region holds what a pointer leads to, a part of an array; the kernel speaks of it by the pointer, too. The array's own name, by which all of it would
 * be mapped, stands nowhere in the kernel. */
#include <stdio.h>

static unsigned g[21];

int main(void)
{
    unsigned *p = g + 10;
    #pragma omp target data map(tofrom: p[0:11])
    {
        #pragma omp target teams distribute parallel for
        for (int i = 0; i < 11; i++)
            p[i] = 81 + i;
    }
    for (int i = 0; i < 21; i++)
        printf("%u\n", g[i]);
    return 0;
}
