/* expects: error OMM301 */
#include <omp.h>
#include <stdio.h>
#include <stdlib.h>
int main(void)
{
#pragma omp parallel
    {
        int n = omp_get_thread_num() ? 2 : 3;
        for (int i = 0; i < n; i++) {
#pragma omp barrier
        }
    }
    printf("done\n");
    return 0;
}
