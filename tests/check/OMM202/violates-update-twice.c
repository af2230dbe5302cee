/* The second update brings what the first one has brought. */
#include <stdio.h>
#include <stdlib.h>

int main(void)
{
    int n = 40;
    int *a = calloc(n, sizeof *a);
    #pragma omp target enter data map(to: a[0:n])
    #pragma omp target teams distribute parallel for
    for (int i = 0; i < n; i++)
        a[i] += i;
    #pragma omp target update from(a[0:n])
    printf("%d\n", a[1]);
    #pragma omp target update from(a[0:n])
    printf("%d\n", a[2]);
    #pragma omp target exit data map(release: a[0:n])
    free(a);
    return 0;
}
