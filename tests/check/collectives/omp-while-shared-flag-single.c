/* expects: nothing */
/* A while loop with barriers is ended by a shared flag that one thread writes in a single. */
#include <omp.h>
#include <stdio.h>

int main(void)
{
    int more = 1, steps = 0;
#pragma omp parallel shared(more, steps)
    {
        while (more) {
#pragma omp barrier
#pragma omp single
            {
                steps++;
                more = steps < 5;
            }
        }
    }
    printf("steps %d\n", steps);
    printf("done\n");
    return 0;
}
