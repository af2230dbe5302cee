/* expects: error OMM301 */
/* The thread number reaches the test through an out-parameter and a struct field. */
#include <omp.h>
#include <stdio.h>

struct self {
    int number;
    int team;
};

static void who(struct self *s)
{
    s->number = omp_get_thread_num();
    s->team = omp_get_num_threads();
}

int main(void)
{
#pragma omp parallel
    {
        struct self s;
        who(&s);
        if (s.number + 1 < s.team) {
#pragma omp barrier
        }
    }
    printf("done\n");
    return 0;
}
