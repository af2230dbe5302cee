/* By `defaultmap` the kernel gets the array, and keeps what it writes there. */
#include <stdio.h>

int main(void)
{
    double a[50];
    for (int i = 0; i < 50; i++)
        a[i] = i;
    #pragma omp target teams distribute parallel for defaultmap(to: aggregate)
    for (int i = 0; i < 50; i++)
        a[i] *= 3;
    printf("%g\n", a[49]);
    return 0;
}
