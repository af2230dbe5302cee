/* C = alpha A B' + alpha B A' + beta C: arrays from malloc, subscripts written out */
#include <stdio.h>
#include <stdlib.h>

#define N 36
#define M 30
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

void syr2k(double *a, double *b, double *c) {
    for (int i = 0; i < N; i++)
        for (int j = 0; j < N; j++) {
            c[i * N + j] *= BETA;
            for (int k = 0; k < M; k++) {
                c[i * N + j] += ALPHA * a[i * M + k] * b[j * M + k];
                c[i * N + j] += ALPHA * b[i * M + k] * a[j * M + k];
            }
        }
}

int main(void) {
    double *a = malloc(N * M * sizeof *a);
    double *b = malloc(N * M * sizeof *b);
    double *c = malloc(N * N * sizeof *c);
    fill(a, N * M);
    fill(b, N * M);
    fill(c, N * N);
    syr2k(a, b, c);
    show("c", c, N * N);
    free(a);
    free(b);
    free(c);
    return 0;
}
