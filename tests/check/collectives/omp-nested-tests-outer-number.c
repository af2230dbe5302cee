/* expects: nothing */
/* Inner threads test the outer thread's number, which is one value for the inner team. */
#include <omp.h>
#include <stdio.h>

int main(void)
{
    int n = 0;
    omp_set_max_active_levels(2);
#pragma omp parallel num_threads(2) shared(n)
    {
        int outer = omp_get_thread_num();
#pragma omp parallel num_threads(2) shared(n, outer)
        {
            if (outer == 1) {
#pragma omp barrier
#pragma omp single
                n++;
            }
        }
    }
    printf("n %d\n", n);
    printf("done\n");
    return 0;
}
