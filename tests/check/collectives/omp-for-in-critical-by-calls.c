/* expects: error OMM301 */
#include <omp.h>
#include <stdio.h>
#include <stdlib.h>
static void share(void)
{
#pragma omp for
    for (int i = 0; i < 8; i++)
        ;
}
static void more(void)
{
    share();
}
int main(void)
{
#pragma omp parallel
    {
#pragma omp critical
        more();
    }
    printf("done\n");
    return 0;
}
