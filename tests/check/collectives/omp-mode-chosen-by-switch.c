/* expects: nothing */
#include <omp.h>
#include <stdio.h>
#include <stdlib.h>
static int mode = 2;
int main(void)
{
#pragma omp parallel
    {
        switch (mode) {
        case 1:;
#pragma omp barrier
            break;
        case 2:;
#pragma omp barrier
#pragma omp barrier
            break;
        default:
            break;
        }
    }
    printf("%d\n", mode);
    return 0;
}
