/* What the function does to the array of one struct is nothing that it does to that of the other. */
#include <stdio.h>
#include <stdlib.h>

enum { N = 40 };

struct line {
    double scale;
    double *v;
};

#pragma omp declare target
static void scaled(struct line *l)
{
    for (int i = 0; i < N; i++)
        l->v[i] *= l->scale;
}
#pragma omp end declare target

int main(void)
{
    struct line one, two;
    one.scale = 2;
    two.scale = 3;
    one.v = malloc(N * sizeof *one.v);
    two.v = malloc(N * sizeof *two.v);
    for (int i = 0; i < N; i++)
        one.v[i] = two.v[i] = i;
    #pragma omp target map(to: one.scale, one.v) map(tofrom: one.v[0:N])
    scaled(&one);
    #pragma omp target map(to: two.scale, two.v) map(tofrom: two.v[0:N])
    scaled(&two);
    printf("%g %g\n", one.v[N - 1], two.v[N - 1]);
    free(one.v);
    free(two.v);
    return 0;
}
