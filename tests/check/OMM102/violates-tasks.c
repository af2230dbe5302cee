/* A task of its own, waited for, whose results do not come back. */
#include <stdio.h>
#include <stdlib.h>

int main(void)
{
    double *a = malloc(50 * sizeof *a), *b = malloc(50 * sizeof *b);
    for (int i = 0; i < 50; i++)
        a[i] = i;
    #pragma omp target enter data map(to: a[0:50]) map(alloc: b[0:50]) nowait depend(out: a[0])
    #pragma omp target teams distribute parallel for nowait depend(inout: a[0])
    for (int i = 0; i < 50; i++)
        b[i] = 2 * a[i];
    #pragma omp target exit data map(release: a[0:50], b[0:50]) nowait depend(in: a[0])
    #pragma omp taskwait
    for (int i = 0; i < 50; i++)
        printf("%g\n", b[i] - a[i]);
    free(a);
    free(b);
    return 0;
}
