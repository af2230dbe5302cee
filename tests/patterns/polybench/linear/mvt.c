/* x1 += A y1 and x2 += A' y2: arrays from malloc, subscripts written out */
#include <stdio.h>
#include <stdlib.h>

#define N 50

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

void mvt(double *a, double *x1, double *x2, double *y1, double *y2) {
    for (int i = 0; i < N; i++)
        for (int j = 0; j < N; j++) x1[i] = x1[i] + a[i * N + j] * y1[j];
    for (int i = 0; i < N; i++)
        for (int j = 0; j < N; j++) x2[i] = x2[i] + a[j * N + i] * y2[j];
}

int main(void) {
    double *a = malloc(N * N * sizeof *a);
    double *x1 = malloc(N * sizeof *x1);
    double *x2 = malloc(N * sizeof *x2);
    double *y1 = malloc(N * sizeof *y1);
    double *y2 = malloc(N * sizeof *y2);
    fill(a, N * N);
    fill(x1, N);
    fill(x2, N);
    fill(y1, N);
    fill(y2, N);
    mvt(a, x1, x2, y1, y2);
    show("x1", x1, N);
    show("x2", x2, N);
    free(a);
    free(x1);
    free(x2);
    free(y1);
    free(y2);
    return 0;
}
