/* expects: error OMM301 */
/* Without a barrier this ends, but a worksharing region must be met by all threads or none. */
#include <omp.h>
#include <stdio.h>

static int a[64];

int main(void)
{
#pragma omp parallel
    {
        if (omp_get_thread_num() != 1) {
#pragma omp for schedule(static) nowait
            for (int i = 0; i < 64; i++)
                a[i] = 1;
        }
    }
    int left_out = 0;
    for (int i = 0; i < 64; i++)
        left_out += a[i] == 0;
    printf("elements left out: %d\n", left_out);
    return left_out != 0;
}
