/* Each iteration overwrites fewer elements of the host's copy than the one before: all that came is read in the end. */
#include <stdio.h>
#include <stdlib.h>

int main(void)
{
    int n = 40, rounds = 4;
    int *a = malloc(n * sizeof *a);
    for (int t = 0; t < rounds; t++) {
        int m = n - 8 * t;
        #pragma omp target teams distribute parallel for map(from: a[0:m])
        for (int i = 0; i < m; i++)
            a[i] = 100 * t + i;
    }
    for (int i = 0; i < n; i++)
        printf("%d\n", a[i]);
    free(a);
    return 0;
}
