/* expects: error OMM301 */
#include <omp.h>
#include <stdio.h>
#include <stdlib.h>
int main(void)
{
#pragma omp parallel num_threads(4)
    for (int i = omp_get_thread_num(); i < 10; i += omp_get_num_threads()) {
#pragma omp barrier
    }
    printf("done\n");
    return 0;
}
