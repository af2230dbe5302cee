/* A = Q R by the method of Gram and Schmidt: arrays from malloc, subscripts written out */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>

#define M 40
#define N 32

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

void gramschmidt(double *a, double *r, double *q) {
    for (int k = 0; k < N; k++) {
        double nrm = 0;
        for (int i = 0; i < M; i++) nrm += a[i * N + k] * a[i * N + k];
        r[k * N + k] = sqrt(nrm);
        for (int i = 0; i < M; i++) q[i * N + k] = a[i * N + k] / r[k * N + k];
        for (int j = k + 1; j < N; j++) {
            r[k * N + j] = 0;
            for (int i = 0; i < M; i++) r[k * N + j] += q[i * N + k] * a[i * N + j];
            for (int i = 0; i < M; i++) a[i * N + j] = a[i * N + j] - q[i * N + k] * r[k * N + j];
        }
    }
}

int main(void) {
    double *a = malloc(M * N * sizeof *a);
    double *r = malloc(N * N * sizeof *r);
    double *q = malloc(M * N * sizeof *q);
    fill(a, M * N);
    fill(r, N * N);
    gramschmidt(a, r, q);
    show("a", a, M * N);
    show("r", r, N * N);
    show("q", q, M * N);
    free(a);
    free(r);
    free(q);
    return 0;
}
