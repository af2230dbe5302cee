/* `b` stays on the device for nobody. */
#include <stdio.h>
#include <stdlib.h>

int main(void)
{
    int n = 40;
    int *a = calloc(n, sizeof *a), *b = calloc(n, sizeof *b);
    #pragma omp target enter data map(to: a[0:n]) map(alloc: b[0:n])
    #pragma omp target teams distribute parallel for
    for (int i = 0; i < n; i++)
        a[i] += i;
    #pragma omp target exit data map(from: a[0:n]) map(release: b[0:n])
    printf("%d %d\n", a[n - 1], b[0]);
    free(a);
    free(b);
    return 0;
}
