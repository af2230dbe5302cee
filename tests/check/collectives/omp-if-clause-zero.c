/* expects: nothing */
/* With if(0) the region has a team of one thread. */
#include <omp.h>
#include <stdio.h>

int main(void)
{
    int n = 0;
#pragma omp parallel if (0) shared(n)
    {
        if (omp_get_thread_num() == 0) {
#pragma omp single
            n = 9;
        }
    }
    printf("n %d\n", n);
    printf("done\n");
    return 0;
}
