/* expects: warning OMM301 */
/* Each side has a single of its own, which the runtimes take for one and the same. */
#include <omp.h>
#include <stdio.h>

int main(void)
{
    int n = 0;
#pragma omp parallel shared(n)
    {
        if (omp_get_thread_num() == 0) {
#pragma omp single
            {
#pragma omp atomic
                n++;
            }
        } else {
#pragma omp single
            {
#pragma omp atomic
                n++;
            }
        }
    }
    printf("%s\n", n > 0 ? "some thread ran it" : "none");
    printf("done\n");
    return 0;
}
