/* expects: error OMM301 */
/* The producer's role ends with a barrier that the consumers' role does not have. */
#include <omp.h>
#include <stdio.h>

static int box[4];

static void produce(void)
{
    for (int i = 0; i < 4; i++)
        box[i] = i + 1;
#pragma omp barrier
}

static void consume(int me)
{
    box[me % 4] += 10;
}

int main(void)
{
#pragma omp parallel
    {
        int me = omp_get_thread_num();
        if (me == 0)
            produce();
        else
            consume(me);
    }
    printf("%d\n", box[0]);
    printf("done\n");
    return 0;
}
