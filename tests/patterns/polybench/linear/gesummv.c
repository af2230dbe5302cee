/* y = alpha A x + beta B x: arrays from malloc, subscripts written out */
#include <stdio.h>
#include <stdlib.h>

#define N 48
#define ALPHA 1.5
#define BETA 0.5

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

void gesummv(double *a, double *b, double *x, double *y, double *tmp) {
    for (int i = 0; i < N; i++) {
        tmp[i] = 0;
        y[i] = 0;
        for (int j = 0; j < N; j++) {
            tmp[i] = a[i * N + j] * x[j] + tmp[i];
            y[i] = b[i * N + j] * x[j] + y[i];
        }
        y[i] = ALPHA * tmp[i] + BETA * y[i];
    }
}

int main(void) {
    double *a = malloc(N * N * sizeof *a);
    double *b = malloc(N * N * sizeof *b);
    double *x = malloc(N * sizeof *x);
    double *y = malloc(N * sizeof *y);
    double *tmp = malloc(N * sizeof *tmp);
    fill(a, N * N);
    fill(b, N * N);
    fill(x, N);
    gesummv(a, b, x, y, tmp);
    show("y", y, N);
    show("tmp", tmp, N);
    free(a);
    free(b);
    free(x);
    free(y);
    free(tmp);
    return 0;
}
