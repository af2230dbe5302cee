/* expects: nothing */
/* The producer fills, all meet a common barrier, and the consumers read. */
#include <omp.h>
#include <stdio.h>

static int box[4], sum;

int main(void)
{
#pragma omp parallel
    {
        int me = omp_get_thread_num();
        if (me == 0) {
            for (int i = 0; i < 4; i++)
                box[i] = i + 1;
        }
#pragma omp barrier
        if (me == omp_get_num_threads() - 1) {
            for (int i = 0; i < 4; i++)
                sum += box[i];
        }
    }
    printf("sum %d\n", sum);
    printf("done\n");
    return 0;
}
