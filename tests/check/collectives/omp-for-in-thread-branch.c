/* expects: error OMM301 */
/* All threads but the first meet a loop and its barrier: undefined; libomp hangs, libgomp gets by. */
#include <omp.h>
#include <stdio.h>

static void use(int i)
{
    volatile int x = i;
    (void)x;
}

int main(void)
{
#pragma omp parallel
    {
        if (omp_get_thread_num()) {
#pragma omp for
            for (int i = 0; i < 8; i++)
                use(i);
        }
    }
    printf("done\n");
    return 0;
}
