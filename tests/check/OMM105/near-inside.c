/* the pointer leads into an array, and the section begins before it */
#include <stdio.h>
#include <stdlib.h>

enum { N = 64 };

int main(void)
{
    static double a[N];
    for (int i = 0; i < N; i++)
        a[i] = i;
    double *middle = a + N / 2;
    #pragma omp target teams distribute parallel for map(tofrom: middle[-4:8])
    for (int i = -4; i < 4; i++)
        middle[i] += 100;
    for (int i = 0; i < N; i++)
        printf("%g\n", a[i]);
    return 0;
}
