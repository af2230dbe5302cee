/* args: 40 50, 3 4, 2 2 */
/* a stencil of nine points in two dimensions: arrays of rows of variable length */
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

void convolution(int ni, int nj, double a[ni][nj], double b[ni][nj]) {
    double c11 = 0.25, c12 = -0.5, c13 = 0.75, c21 = 1.25, c22 = 0.5, c23 = -0.25, c31 = 0.125, c32 = -1.5, c33 = 2.0;
    for (int i = 1; i < ni - 1; ++i)
        for (int j = 1; j < nj - 1; ++j)
            b[i][j] = c11 * a[i - 1][j - 1] + c12 * a[i][j - 1] + c13 * a[i + 1][j - 1] + c21 * a[i - 1][j] +
                      c22 * a[i][j] + c23 * a[i + 1][j] + c31 * a[i - 1][j + 1] + c32 * a[i][j + 1] +
                      c33 * a[i + 1][j + 1];
}

int main(int argc, char **argv) {
    if (argc < 3) return 1;
    int ni = atoi(argv[1]), nj = atoi(argv[2]);
    double (*a)[nj] = malloc(ni * sizeof *a);
    double (*b)[nj] = malloc(ni * sizeof *b);
    fill(*a, ni * nj);
    fill(*b, ni * nj);
    convolution(ni, nj, a, b);
    show("b", *b, ni * nj);
    free(a);
    free(b);
    return 0;
}
