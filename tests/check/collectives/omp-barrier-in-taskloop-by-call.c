/* expects: error OMM301 */
/* The body of a taskloop calls a function with a barrier. */
#include <omp.h>
#include <stdio.h>

static void sync_all(void)
{
#pragma omp barrier
}

int main(void)
{
#pragma omp parallel
    {
#pragma omp single
        {
#pragma omp taskloop grainsize(1)
            for (int i = 0; i < 3; i++)
                sync_all();
        }
    }
    printf("done\n");
    return 0;
}
