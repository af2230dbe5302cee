/* Two parts of one array, which a kernel uses by two names. */
#include <stdio.h>

int main(void)
{
    int a[30], *p = &a[0];
    for (int i = 0; i < 30; i++)
        a[i] = i;
    #pragma omp target data map(tofrom: a[0:4])
    {
        #pragma omp target map(tofrom: p[7:20])
        {
            a[2] = 0;
            p[8] = 0;
        }
    }
    printf("%d %d %d\n", a[2], a[8], a[20]);
    return 0;
}
