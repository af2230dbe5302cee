/* expects: nothing */
#include <omp.h>
#include <stdio.h>
#include <stdlib.h>
static void wait_for_all(int n)
{
    if (n > 1) {
#pragma omp barrier
    }
}
int main(void)
{
    wait_for_all(1);
#pragma omp parallel
    wait_for_all(omp_get_num_threads());
    printf("done\n");
    return 0;
}
