/* expects: error OMM301 */
#include <omp.h>
#include <stdio.h>
#include <stdlib.h>
int main(void)
{
    int next = 0;
#pragma omp parallel shared(next) num_threads(4)
    {
        for (;;) {
            int got;
#pragma omp atomic capture
            got = next++;
            if (got >= 6)
                break;
#pragma omp barrier
        }
    }
    printf("done\n");
    return 0;
}
