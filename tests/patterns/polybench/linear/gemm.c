/* C = alpha A B + beta C: arrays from malloc, subscripts written out */
#include <stdio.h>
#include <stdlib.h>

#define NI 34
#define NJ 38
#define NK 30
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

void gemm(double *a, double *b, double *c) {
    for (int i = 0; i < NI; i++)
        for (int j = 0; j < NJ; j++) {
            c[i * NJ + j] *= BETA;
            for (int k = 0; k < NK; ++k) c[i * NJ + j] += ALPHA * a[i * NK + k] * b[k * NJ + j];
        }
}

int main(void) {
    double *a = malloc(NI * NK * sizeof *a);
    double *b = malloc(NK * NJ * sizeof *b);
    double *c = malloc(NI * NJ * sizeof *c);
    fill(a, NI * NK);
    fill(b, NK * NJ);
    fill(c, NI * NJ);
    gemm(a, b, c);
    show("c", c, NI * NJ);
    free(a);
    free(b);
    free(c);
    return 0;
}
