/* expects: nothing */
/* The flag is a file-scope variable, written in a single and tested behind its barrier. */
#include <omp.h>
#include <stdio.h>

static int go;

static void decide(void)
{
#pragma omp single
    go = omp_get_thread_num() + 1;
}

int main(void)
{
    int waits = 0;
#pragma omp parallel shared(waits)
    {
        decide();
        if (go > 0) {
#pragma omp barrier
#pragma omp single
            waits++;
        }
    }
    printf("waits %d\n", waits);
    printf("done\n");
    return 0;
}
