/* A function that the kernel calls fills the array, and reads others. */
#include <stdio.h>

#define N 64

#pragma omp declare target
static void sums(int a[N], int b[N], int c[N])
{
    for (int i = 0; i < N; i++)
        a[i] = b[i] + c[i];
}
#pragma omp end declare target

int main(void)
{
    int x[N], y[N], z[N];
    for (int i = 0; i < N; i++) {
        x[i] = 0;
        y[i] = 1;
        z[i] = i;
    }
    #pragma omp target map(from: x) map(to: y, z)
    sums(x, y, z);
    printf("%d\n", x[N - 1]);
    return 0;
}
