/* one element more than there is comes back with what the device had there */
#include <stdio.h>
#include <stdlib.h>

enum { N = 64 };

int main(void)
{
    static double a[N];
    struct { double values[N], behind; } *s = malloc(sizeof *s);
    for (int i = 0; i < N; i++)
        a[i] = i;
    s->behind = 7;
    double *b = malloc(N * sizeof *b), *c = malloc(N * sizeof *c);
    for (int i = 0; i < N; i++)
        b[i] = c[i] = i;
    #pragma omp target teams distribute parallel for map(to: a) map(from: b[0:N + 8])
    for (int i = 0; i < N; i++)
        b[i] = 2 * a[i];
    for (int i = 0; i < N; i++)
        printf("%g %g\n", b[i], c[i]);
    printf("%g\n", s->behind);
    free(b);
    free(c);
    free(s);
    return 0;
}
