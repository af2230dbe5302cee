/* expects: error OMM301 */
/* The body of a worksharing loop calls a function with a single region. */
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
#pragma omp for schedule(static)
        for (int i = 0; i < 5; i++)
            once();
    }
    printf("%s\n", calls > 0 ? "called" : "never");
    printf("done\n");
    return 0;
}
