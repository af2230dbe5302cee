/* expects: error OMM301 */
#include <omp.h>
#include <stdio.h>
#include <stdlib.h>
static void meet(void)
{
#pragma omp barrier
}
static void (*volatile step)(void) = meet;
int main(void)
{
    void (*f)(void) = meet;
#pragma omp parallel
    {
#pragma omp single nowait
        f();
    }
    (void)step;
    printf("done\n");
    return 0;
}
