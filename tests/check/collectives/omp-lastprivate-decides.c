/* expects: nothing */
/* The lastprivate variable is the shared original again behind the loop. */
#include <omp.h>
#include <stdio.h>

int main(void)
{
    int last = -1, waits = 0;
#pragma omp parallel shared(last, waits)
    {
#pragma omp for lastprivate(last)
        for (int i = 0; i < 16; i++)
            last = i;
        if (last == 15) {
#pragma omp barrier
#pragma omp single
            waits++;
        }
    }
    printf("last %d waits %d\n", last, waits);
    printf("done\n");
    return 0;
}
