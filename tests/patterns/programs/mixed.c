/* --all args: 100, 1, 0 */
#include <stdio.h>
#include <stdlib.h>
#define N 64
static double A[N][N], B[N][N], C[N][N];
static double sq(double x) { return x * x; }
static long total(int n, const int *a) {
    long s = 0;
    for (int i = 0; i < n; i++) s += a[i];
    return s;
}
static void scale(int n, double *restrict x, const double *restrict y) {
    double t;
    int i;
    for (i = 0; i < n; i++) {
        t = y[i];
        x[i] = 2 * sq(t);
    }
}
int main(int argc, char **argv) {
    int n = argc > 1 ? atoi(argv[1]) : 100, m = 7;
    double *x = malloc(n * sizeof *x), *y = malloc(n * sizeof *y);
    int *g = malloc((size_t)n * m * sizeof *g);
    for (int i = 0; i < n; i++) y[i] = i * 0.5;
    scale(n, x, y);
    for (int i = 0; i < N; i++)
        for (int j = 0; j < N; j++) {
            A[i][j] = i + j;
            B[i][j] = i - j;
        }
    for (int i = 0; i < N; i++)
        for (int j = 0; j < N; j++) {
            C[i][j] = 0;
            for (int k = 0; k < N; k++) C[i][j] += A[i][k] * B[k][j];
        }
    for (int i = 0; i < n; i++) for (int j = 0; j < m; j++) g[i * m + j] = i ^ j;
    if (n > 3)
        for (int i = 1; i < n; i++) x[i] = x[i - 1] + y[i];
    else for (int i = 0; i < n; i++) x[i] = 0;
    double s = 0;
    for (int i = 0; i < n; i++) s += x[i];
    for (int i = 0; i < N; i++) s += C[i][i];
    printf("%g %ld\n", s, total(n * m, g));
    for (int i = 0; i < n; i++) if (y[i] > 3) x[i] = 1;
    for (int i = 0; i < n; i += 2) x[i] = 1;
    printf("%g\n", x[n / 2]);
    return 0;
}
