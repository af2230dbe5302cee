/* expects: nothing */
#include <omp.h>
#include <stdio.h>
#include <stdlib.h>
int main(void)
{
    int go = 0;
#pragma omp parallel shared(go)
    {
#pragma omp masked
        go = 7;
#pragma omp barrier
        int own = go;
        while (own-- > 3) {
#pragma omp barrier
        }
    }
    printf("%d\n", go);
    return 0;
}
