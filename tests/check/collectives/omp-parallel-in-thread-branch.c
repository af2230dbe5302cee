/* expects: nothing */
/* A thread branch calls a function that has a whole parallel region with a loop of its own. */
#include <omp.h>
#include <stdio.h>

static int count(int n)
{
    int sum = 0;
#pragma omp parallel for reduction(+ : sum) num_threads(2)
    for (int i = 0; i < n; i++)
        sum++;
    return sum;
}

int main(void)
{
    int n = 0;
#pragma omp parallel shared(n)
    {
        if (omp_get_thread_num() == 0)
            n = count(10);
    }
    printf("n %d\n", n);
    printf("done\n");
    return 0;
}
