/* expects: nothing */
#include <omp.h>
#include <stdio.h>
#include <stdlib.h>
int main(void)
{
    omp_lock_t lock;
    int n = 0;
    omp_init_lock(&lock);
#pragma omp parallel shared(n)
    {
        omp_set_lock(&lock);
        n += omp_get_thread_num();
        omp_unset_lock(&lock);
#pragma omp barrier
        if (n > 2) {
#pragma omp barrier
        }
    }
    omp_destroy_lock(&lock);
    printf("%d\n", n);
    return 0;
}
