/* expects: nothing */
/* Of the struct with thread number and team size, only the size is tested. */
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
        if (s.team > 1) {
#pragma omp barrier
        }
    }
    printf("done\n");
    return 0;
}
