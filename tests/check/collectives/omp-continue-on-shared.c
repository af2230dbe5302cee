/* expects: nothing */
/* A continue that depends on the common counter skips the barrier for all threads at once. */
#include <omp.h>
#include <stdio.h>

int main(void)
{
    int waits = 0;
#pragma omp parallel shared(waits)
    {
        for (int i = 0; i < 6; i++) {
            if (i % 2)
                continue;
#pragma omp barrier
#pragma omp single nowait
            waits++;
        }
    }
    printf("waits %d\n", waits);
    printf("done\n");
    return 0;
}
