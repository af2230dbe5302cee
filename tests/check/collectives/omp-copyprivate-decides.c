/* expects: nothing */
/* copyprivate gives the number that one thread read to the private copies of all. */
#include <omp.h>
#include <stdio.h>

int main(void)
{
    int total = 0;
#pragma omp parallel shared(total)
    {
        int n = omp_get_thread_num();
#pragma omp single copyprivate(n)
        n = 3;
        for (int i = 0; i < n; i++) {
#pragma omp barrier
#pragma omp atomic
            total++;
        }
    }
    printf("total %s\n", total % 3 == 0 ? "even shares" : "odd shares");
    printf("done\n");
    return 0;
}
