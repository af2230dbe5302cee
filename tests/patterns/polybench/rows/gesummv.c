/* args: 48, 3 */
/* y = alpha A x + beta B x: arrays of rows of variable length */
#include <stdio.h>
#include <stdlib.h>

static unsigned state = 1;

static void fill(double *v, int count) {
    for (int i = 0; i < count; i++) {
        state = state * 1103515245u + 12345u;
        v[i] = (double)(state >> 16 & 31) / 4 - 3;
    }
}

static void show(const char *name, const double *v, int count) {
    printf("%s", name);
    for (int i = 0; i < count; i++) printf(" %.17g", v[i]);
    printf("\n");
}

void gesummv(int n, double alpha, double beta, double a[n][n], double b[n][n], double x[n], double y[n],
             double tmp[n]) {
    for (int i = 0; i < n; i++) {
        tmp[i] = 0;
        y[i] = 0;
        for (int j = 0; j < n; j++) {
            tmp[i] = a[i][j] * x[j] + tmp[i];
            y[i] = b[i][j] * x[j] + y[i];
        }
        y[i] = alpha * tmp[i] + beta * y[i];
    }
}

int main(int argc, char **argv) {
    if (argc < 2) return 1;
    int n = atoi(argv[1]);
    double (*a)[n] = malloc(n * sizeof *a);
    double (*b)[n] = malloc(n * sizeof *b);
    double *x = malloc(n * sizeof *x);
    double *y = malloc(n * sizeof *y);
    double *tmp = malloc(n * sizeof *tmp);
    fill(*a, n * n);
    fill(*b, n * n);
    fill(x, n);
    gesummv(n, 1.5, 0.5, a, b, x, y, tmp);
    show("y", y, n);
    show("tmp", tmp, n);
    free(a);
    free(b);
    free(x);
    free(y);
    free(tmp);
    return 0;
}
