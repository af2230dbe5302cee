/* expects: nothing */
#include <omp.h>
#include <stdio.h>
#include <stdlib.h>
struct team { int go; int steps; };
static void work(struct team *t)
{
#pragma omp single
    t->go = t->steps > 2;
    if (t->go) {
#pragma omp barrier
    }
}
int main(void)
{
    struct team *t = calloc(1, sizeof *t);
    t->steps = 3;
#pragma omp parallel
    work(t);
    printf("%d\n", t->go);
    free(t);
    return 0;
}
