/* C = alpha A A' + beta C: arrays from malloc, subscripts written out */
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

void syrk(double *a, double *c) {
    for (int i = 0; i < N; i++)
        for (int j = 0; j < N; j++) {
            c[i * N + j] *= BETA;
            for (int k = 0; k < M; k++) c[i * N + j] += ALPHA * a[i * M + k] * a[j * M + k];
        }
}

int main(void) {
    double *a = malloc(N * M * sizeof *a);
    double *c = malloc(N * N * sizeof *c);
    fill(a, N * M);
    fill(c, N * N);
    syrk(a, c);
    show("c", c, N * N);
    free(a);
    free(c);
    return 0;
}
