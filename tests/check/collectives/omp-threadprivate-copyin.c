/* expects: nothing */
/* copyin gives every thread's threadprivate copy the value of the first thread. */
#include <omp.h>
#include <stdio.h>

static int mode;
#pragma omp threadprivate(mode)

static void maybe_wait(void)
{
    if (mode == 2) {
#pragma omp barrier
    }
}

int main(void)
{
    mode = 2;
#pragma omp parallel copyin(mode)
    {
        maybe_wait();
        maybe_wait();
    }
    printf("done\n");
    return 0;
}
