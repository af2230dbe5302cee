/* expects: error OMM301 */
/* The thread number is kept in a threadprivate variable that another function tests. */
#include <omp.h>
#include <stdio.h>

static int my_number;
#pragma omp threadprivate(my_number)

static void remember(void)
{
    my_number = omp_get_thread_num();
}

static void maybe_wait(void)
{
    if (my_number > 1) {
#pragma omp barrier
    }
}

int main(void)
{
#pragma omp parallel
    {
        remember();
        maybe_wait();
    }
    printf("done\n");
    return 0;
}
