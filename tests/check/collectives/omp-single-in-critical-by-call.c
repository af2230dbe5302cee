/* expects: error OMM301 */
/* Inside a critical region a function asks for a single, whose barrier the others cannot reach. */
#include <omp.h>
#include <stdio.h>

static int calls;

static void once(void)
{
#pragma omp single
    calls++;
}

int main(void)
{
#pragma omp parallel
    {
#pragma omp critical
        once();
    }
    printf("%d\n", calls);
    printf("done\n");
    return 0;
}
