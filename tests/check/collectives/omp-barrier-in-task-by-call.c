/* expects: error OMM301 */
/* An explicit task calls a function with a barrier. */
#include <omp.h>
#include <stdio.h>

static void sync_all(void)
{
#pragma omp barrier
}

int main(void)
{
    int done = 0;
#pragma omp parallel shared(done)
    {
#pragma omp single
        {
#pragma omp task shared(done)
            {
                done = 1;
                sync_all();
            }
#pragma omp taskwait
        }
    }
    printf("%d\n", done);
    printf("done\n");
    return 0;
}
