/* a stencil of eleven points in three dimensions: arrays from malloc, subscripts written out */
#include <stdio.h>
#include <stdlib.h>

#define NI 10
#define NJ 12
#define NK 14

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
    double c11 = 2, c12 = -3, c13 = 4, c21 = 5, c22 = 6, c23 = 7, c31 = -8, c32 = -9, c33 = 10;
    for (int i = 1; i < NI - 1; ++i)
        for (int j = 1; j < NJ - 1; ++j)
            for (int k = 1; k < NK - 1; ++k)
                b[i * (NK * NJ) + j * NK + k] =
                    c11 * a[(i - 1) * (NK * NJ) + (j - 1) * NK + (k - 1)] +
                    c13 * a[(i + 1) * (NK * NJ) + (j - 1) * NK + (k - 1)] +
                    c21 * a[(i - 1) * (NK * NJ) + (j - 1) * NK + (k - 1)] +
                    c23 * a[(i + 1) * (NK * NJ) + (j - 1) * NK + (k - 1)] +
                    c31 * a[(i - 1) * (NK * NJ) + (j - 1) * NK + (k - 1)] +
                    c33 * a[(i + 1) * (NK * NJ) + (j - 1) * NK + (k - 1)] +
                    c12 * a[i * (NK * NJ) + (j - 1) * NK + k] + c22 * a[i * (NK * NJ) + j * NK + k] +
                    c32 * a[i * (NK * NJ) + (j + 1) * NK + k] +
                    c11 * a[(i - 1) * (NK * NJ) + (j - 1) * NK + (k + 1)] +
                    c13 * a[(i + 1) * (NK * NJ) + (j - 1) * NK + (k + 1)] +
                    c21 * a[(i - 1) * (NK * NJ) + j * NK + (k + 1)] +
                    c23 * a[(i + 1) * (NK * NJ) + j * NK + (k + 1)] +
                    c31 * a[(i - 1) * (NK * NJ) + (j + 1) * NK + (k + 1)] +
                    c33 * a[(i + 1) * (NK * NJ) + (j + 1) * NK + (k + 1)];
}

int main(void) {
    double *a = malloc(NI * NJ * NK * sizeof *a);
    double *b = malloc(NI * NJ * NK * sizeof *b);
    fill(a, NI * NJ * NK);
    fill(b, NI * NJ * NK);
    convolution(a, b);
    show("b", b, NI * NJ * NK);
    free(a);
    free(b);
    return 0;
}
