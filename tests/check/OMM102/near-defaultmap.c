/* By `defaultmap` the kernel keeps its scratch, and what its clauses name comes back. */
#include <stdio.h>

int main(void)
{
    double a[50], scratch[50];
    for (int i = 0; i < 50; i++)
        a[i] = i;
    #pragma omp target teams distribute parallel for defaultmap(alloc: aggregate) map(tofrom: a)
    for (int i = 0; i < 50; i++) {
        scratch[i] = 3 * a[i];
        a[i] = scratch[i] - 1;
    }
    printf("%g\n", a[49]);
    return 0;
}
