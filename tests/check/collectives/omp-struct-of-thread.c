/* expects: error OMM301 */
#include <omp.h>
#include <stdio.h>
#include <stdlib.h>
struct own { int id; int all; };
static void begin(struct own *o)
{
    o->id = omp_get_thread_num();
    o->all = omp_get_num_threads();
}
int main(void)
{
#pragma omp parallel
    {
        struct own o;
        begin(&o);
        if (o.id + 1 < o.all) {
#pragma omp single
            printf("s\n");
        }
    }
    printf("done\n");
    return 0;
}
