/* expects: error OMM301 */
/* An atomic capture hands out different numbers, and the first one waits alone. */
#include <omp.h>
#include <stdio.h>

int main(void)
{
    int next = 0;
#pragma omp parallel shared(next)
    {
        int ticket;
#pragma omp atomic capture
        ticket = next++;
        if (ticket == 0) {
#pragma omp barrier
        }
    }
    printf("tickets %d\n", next);
    printf("done\n");
    return 0;
}
