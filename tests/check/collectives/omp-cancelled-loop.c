/* expects: nothing */
#include <omp.h>
#include <stdio.h>
#include <stdlib.h>
int main(void)
{
    int found = -1;
#pragma omp parallel shared(found)
    {
#pragma omp for
        for (int i = 0; i < 64; i++) {
            if (i == 17) {
#pragma omp atomic write
                found = i;
#pragma omp cancel for
            }
        }
        if (found > 0) {
#pragma omp barrier
        }
    }
    printf("%d\n", found);
    return 0;
}
