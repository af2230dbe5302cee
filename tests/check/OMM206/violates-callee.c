/* The caller hands on the length of the whole. */
#include <stdio.h>
#include <stdlib.h>

enum { ALL = 100, SOME = 20 };

static int summed(const int *v, int n, int some)
{
    int sum = 0;
    #pragma omp target teams distribute parallel for map(to: v[0:n]) map(tofrom: sum) reduction(+: sum)
    for (int i = 0; i < some; i++)
        sum += v[i];
    return sum;
}

int main(void)
{
    int v[ALL];
    for (int i = 0; i < ALL; i++)
        v[i] = i;
    printf("%d\n", summed(v, ALL, SOME));
    return 0;
}
