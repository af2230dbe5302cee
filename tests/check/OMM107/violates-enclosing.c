/* what an enclosing region maps of a scalar changes nothing within */
#include <stdio.h>
#include <stdlib.h>

enum { N = 64 };

int main(void)
{
    double *a = malloc(N * sizeof *a), *b = malloc(N * sizeof *b);
    for (int i = 0; i < N; i++) {
        a[i] = i + 1;
        b[i] = 2 * i + 3;
    }
    int last = 0;
    #pragma omp target data map(tofrom: last)
    {
        #pragma omp target map(to: a[0:N])
        for (int i = 0; i < N; i++)
            last = i;
    }
    printf("%d\n", last);
    for (int i = 0; i < N; i++)
        printf("%g %g\n", a[i], b[i]);
    free(a);
    free(b);
    return 0;
}
