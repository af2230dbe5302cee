/* expects: error OMM301 */
#include <omp.h>
#include <stdio.h>
#include <stdlib.h>
static void down(int n)
{
    if (n == 0) {
#pragma omp barrier
        return;
    }
    down(n - 1);
}
int main(void)
{
#pragma omp parallel
    {
#pragma omp masked
        down(3);
    }
    printf("done\n");
    return 0;
}
