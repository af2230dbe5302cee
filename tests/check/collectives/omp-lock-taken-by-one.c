/* expects: error OMM301 */
#include <omp.h>
#include <stdio.h>
#include <stdlib.h>
int main(void)
{
    omp_lock_t lock;
    omp_init_lock(&lock);
#pragma omp parallel
    {
        if (omp_test_lock(&lock)) {
#pragma omp barrier
        }
    }
    printf("done\n");
    return 0;
}
