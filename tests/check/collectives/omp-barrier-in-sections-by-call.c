/* expects: error OMM301 */
/* One of two sections calls a function with a barrier. */
#include <omp.h>
#include <stdio.h>

static void sync_all(void)
{
#pragma omp barrier
}

int main(void)
{
    int a = 0, b = 0;
#pragma omp parallel shared(a, b)
    {
#pragma omp sections
        {
#pragma omp section
            {
                a = 1;
                sync_all();
            }
#pragma omp section
            {
                b = 2;
            }
        }
    }
    printf("%d %d\n", a, b);
    printf("done\n");
    return 0;
}
