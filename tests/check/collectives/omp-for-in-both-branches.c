/* expects: warning OMM301 */
/* Each side has its own static loop, and each thread does its own chunk of one of the two. */
#include <omp.h>
#include <stdio.h>

static int a[64];

int main(void)
{
#pragma omp parallel
    {
        if (omp_get_thread_num() % 2) {
#pragma omp for schedule(static)
            for (int i = 0; i < 64; i++)
                a[i] = 1;
        } else {
#pragma omp for schedule(static)
            for (int i = 0; i < 64; i++)
                a[i] = 2;
        }
    }
    int zero = 0;
    for (int i = 0; i < 64; i++)
        zero += a[i] == 0;
    printf("elements left out: %d\n", zero);
    printf("done\n");
    return 0;
}
