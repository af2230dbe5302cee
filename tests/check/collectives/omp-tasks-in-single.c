/* expects: nothing */
/* One thread makes the tasks and waits for them; the barrier is at the end of the single. */
#include <omp.h>
#include <stdio.h>

static int fib(int n)
{
    int a, b;
    if (n < 2)
        return n;
#pragma omp task shared(a)
    a = fib(n - 1);
#pragma omp task shared(b)
    b = fib(n - 2);
#pragma omp taskwait
    return a + b;
}

int main(void)
{
    int f = 0;
#pragma omp parallel shared(f)
    {
#pragma omp single
        f = fib(10);
    }
    printf("fib %d\n", f);
    printf("done\n");
    return 0;
}
