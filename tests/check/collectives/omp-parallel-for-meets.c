/* expects: error OMM301 */
#include <omp.h>
#include <stdio.h>
#include <stdlib.h>
static void meet(int i)
{
    if (i == 3) {
#pragma omp barrier
    }
}
int main(void)
{
#pragma omp parallel for
    for (int i = 0; i < 8; i++)
        meet(i);
    printf("done\n");
    return 0;
}
