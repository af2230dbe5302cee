/* expects: nothing */
#include <omp.h>
#include <stdio.h>
#include <stdlib.h>
int main(void)
{
    int in[4] = {3, 2, 1, 0}, at = 0;
#pragma omp parallel shared(in, at)
    {
        int next = 1;
        while (next) {
#pragma omp single copyprivate(next)
            next = in[at++];
#pragma omp for
            for (int i = 0; i < 8; i++)
                ;
        }
    }
    printf("%d\n", at);
    return 0;
}
