/* expects: error OMM301 */
/* A task calls a function with a sections construct and its implicit barrier. */
#include <omp.h>
#include <stdio.h>

static int a, b;

static void both(void)
{
#pragma omp sections
    {
#pragma omp section
        a = 1;
#pragma omp section
        b = 2;
    }
}

int main(void)
{
#pragma omp parallel
    {
#pragma omp single
        {
#pragma omp task
            both();
#pragma omp taskwait
        }
    }
    printf("%s\n", a + b >= 0 ? "ran" : "no");
    printf("done\n");
    return 0;
}
