/* expects: nothing */
#include <omp.h>
#include <stdio.h>
#include <stdlib.h>
int main(void)
{
    int steps = 3, left = 3;
#pragma omp parallel shared(left) firstprivate(steps)
    {
    again:
        steps--;
#pragma omp barrier
#pragma omp single
        left = steps;
        if (left > 0)
            goto again;
    }
    printf("%d\n", left);
    return 0;
}
