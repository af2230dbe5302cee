/* expects: error OMM301 */
/* Each thread waits in as many barriers as its number says. */
#include <omp.h>
#include <stdio.h>

int main(void)
{
    int turns = 0;
#pragma omp parallel shared(turns)
    {
        int me = omp_get_thread_num();
        for (int i = 0; i < me; i++) {
#pragma omp barrier
#pragma omp atomic
            turns++;
        }
    }
    printf("turns %d\n", turns);
    printf("done\n");
    return 0;
}
