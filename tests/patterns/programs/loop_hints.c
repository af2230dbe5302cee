/* What loops say to compilers keeps none from becoming a kernel, and goes where it would stand between a directive and its loop. */
#include <stdio.h>
#include <stdlib.h>

static void hinted(double *restrict a, const double *restrict b, int n)
{
#pragma scop
    #pragma GCC ivdep
    for (int i = 0; i < n; i++)
        a[i] = 2 * b[i];
    #pragma omp simd
    for (int i = 0; i < n; i++)
        a[i] += 3;
    #pragma clang loop vectorize(enable) \
        interleave_count(2)
    for (int i = 0; i < n; i++)
        a[i] -= b[i];
#pragma endscop
}

static void inside(double *restrict a, const double *restrict b, int n)
{
    for (int i = 0; i < n; i++) {
        double sum = 0;
        #pragma omp simd reduction(+: sum)
        for (int k = 0; k < 64; k++)
            sum += b[(i + k) % n];
        a[i] = sum;
    }
    for (int i = 0; i < n; i++)
        #pragma unroll(4)
        for (int k = 0; k < 4; k++)
            a[i] += k;
}

static double stays(const double *a, int n)
{
    double last = 0;
    #pragma GCC unroll 8
    for (int i = 0; i < n; i++)
        last = 0.5 * last + a[i];
    return last;
}

int main(void)
{
    int n = 20000;
    double *a = malloc(n * sizeof *a), *b = malloc(n * sizeof *b);
    for (int i = 0; i < n; i++)
        b[i] = i % 17;
    hinted(a, b, n);
    double first = stays(a, n);
    inside(a, b, n);
    printf("%.17g %.17g\n", first, stays(a, n));
    for (int i = 0; i < n; i += 700)
        printf("%.17g\n", a[i]);
    free(a);
    free(b);
    return 0;
}
