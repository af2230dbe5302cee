/* expects: nothing */
/* The barrier binds to the team of the inner parallel region, which is all there. */
#include <omp.h>
#include <stdio.h>

int main(void)
{
#pragma omp parallel
    {
        if (omp_get_thread_num() == 0) {
#pragma omp parallel num_threads(2)
            {
#pragma omp barrier
            }
        }
    }
    printf("done\n");
    return 0;
}
