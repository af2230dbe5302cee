/* expects: error OMM301 */
#include <omp.h>
#include <stdio.h>
#include <stdlib.h>
static void mine(int *first)
{
    *first = omp_get_thread_num() == 0;
}
int main(void)
{
#pragma omp parallel
    {
        int first = 0;
        mine(&first);
        if (first) {
#pragma omp for
            for (int i = 0; i < 4; i++)
                ;
        }
    }
    printf("done\n");
    return 0;
}
