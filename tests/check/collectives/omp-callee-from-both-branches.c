/* expects: nothing */
/* Both branches call one function: all threads meet the same barrier statement. */
#include <omp.h>
#include <stdio.h>

static int odd_work, even_work;

static void count_and_wait(int *counter)
{
#pragma omp atomic
    (*counter)++;
#pragma omp barrier
}

int main(void)
{
#pragma omp parallel
    {
        if (omp_get_thread_num() % 2)
            count_and_wait(&odd_work);
        else
            count_and_wait(&even_work);
    }
    printf("%s\n", odd_work + even_work > 0 ? "counted" : "none");
    printf("done\n");
    return 0;
}
