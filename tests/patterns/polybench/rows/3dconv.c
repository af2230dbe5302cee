/* args: 10 12 14, 3 4 5, 2 2 2 */
/* a stencil of eleven points in three dimensions: arrays of rows of variable length */
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

void convolution(int ni, int nj, int nk, double a[ni][nj][nk], double b[ni][nj][nk]) {
    double c11 = 2, c12 = -3, c13 = 4, c21 = 5, c22 = 6, c23 = 7, c31 = -8, c32 = -9, c33 = 10;
    for (int i = 1; i < ni - 1; ++i)
        for (int j = 1; j < nj - 1; ++j)
            for (int k = 1; k < nk - 1; ++k)
                b[i][j][k] = c11 * a[i - 1][j - 1][k - 1] + c13 * a[i + 1][j - 1][k - 1] +
                             c21 * a[i - 1][j][k - 1] + c23 * a[i + 1][j][k - 1] + c31 * a[i - 1][j + 1][k - 1] +
                             c33 * a[i + 1][j + 1][k - 1] + c12 * a[i][j - 1][k] + c22 * a[i][j][k] +
                             c32 * a[i][j + 1][k] + c11 * a[i - 1][j - 1][k + 1] + c33 * a[i + 1][j + 1][k + 1];
}

int main(int argc, char **argv) {
    if (argc < 4) return 1;
    int ni = atoi(argv[1]), nj = atoi(argv[2]), nk = atoi(argv[3]);
    double (*a)[nj][nk] = malloc(ni * sizeof *a);
    double (*b)[nj][nk] = malloc(ni * sizeof *b);
    fill(**a, ni * nj * nk);
    fill(**b, ni * nj * nk);
    convolution(ni, nj, nk, a, b);
    show("b", **b, ni * nj * nk);
    free(a);
    free(b);
    return 0;
}
