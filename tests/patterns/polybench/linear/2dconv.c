/* a stencil of nine points in two dimensions: arrays from malloc, subscripts written out */
#include <stdio.h>
#include <stdlib.h>

#define NI 40
#define NJ 50

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

void convolution(double *a, double *b) {
    double c11 = 0.25, c12 = -0.5, c13 = 0.75, c21 = 1.25, c22 = 0.5, c23 = -0.25, c31 = 0.125, c32 = -1.5, c33 = 2.0;
    for (int i = 1; i < NI - 1; ++i)
        for (int j = 1; j < NJ - 1; ++j)
            b[i * NJ + j] = c11 * a[(i - 1) * NJ + (j - 1)] + c12 * a[i * NJ + (j - 1)] +
                            c13 * a[(i + 1) * NJ + (j - 1)] + c21 * a[(i - 1) * NJ + j] + c22 * a[i * NJ + j] +
                            c23 * a[(i + 1) * NJ + j] + c31 * a[(i - 1) * NJ + (j + 1)] +
                            c32 * a[i * NJ + (j + 1)] + c33 * a[(i + 1) * NJ + (j + 1)];
}

int main(void) {
    double *a = malloc(NI * NJ * sizeof *a);
    double *b = malloc(NI * NJ * sizeof *b);
    fill(a, NI * NJ);
    fill(b, NI * NJ);
    convolution(a, b);
    show("b", b, NI * NJ);
    free(a);
    free(b);
    return 0;
}
