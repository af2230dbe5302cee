/* With `defaultmap(none)`, arrays of which the kernel has copies for itself, or which it reduces, need no `map`. */
#include <stdio.h>

int main(void)
{
    int a[50], counts[4] = {0}, sum = 0;
    for (int i = 0; i < 50; i++)
        a[i] = i;
    #pragma omp target teams distribute parallel for defaultmap(none) firstprivate(a) map(tofrom: sum) reduction(+: sum)
    for (int i = 0; i < 50; i++)
        sum += a[i];
    #pragma omp target teams distribute parallel for defaultmap(none) map(to: a) reduction(+: counts)
    for (int i = 0; i < 50; i++)
        counts[a[i] % 4] += 1;
    printf("%d %d\n", sum, counts[1]);
    return 0;
}
