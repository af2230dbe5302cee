/* expects: nothing */
/* The number of turns is read behind the barrier that the turn itself has. */
#include <omp.h>
#include <stdio.h>

static int last;

int main(void)
{
    #pragma omp parallel num_threads(4)
    {
        int i = 0;
        if (omp_get_thread_num() == 0)
            last = 4;
        do {
            #pragma omp barrier
            i++;
        } while (i <= last);
    }
    printf("done %d\n", last);
    return 0;
}
