/* expects: error OMM301 */
#include <omp.h>
#include <stdio.h>
#include <stdlib.h>
static void meet(void)
{
#pragma omp barrier
}
int main(void)
{
#pragma omp parallel
    {
#pragma omp task if (0)
        meet();
    }
    printf("done\n");
    return 0;
}
