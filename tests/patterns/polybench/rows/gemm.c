/* args: 34 38 30, 3 4 5 */
/* C = alpha A B + beta C: arrays of rows of variable length */
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

void gemm(int ni, int nj, int nk, double alpha, double beta, double a[ni][nk], double b[nk][nj], double c[ni][nj]) {
    for (int i = 0; i < ni; i++)
        for (int j = 0; j < nj; j++) {
            c[i][j] *= beta;
            for (int k = 0; k < nk; ++k) c[i][j] += alpha * a[i][k] * b[k][j];
        }
}

int main(int argc, char **argv) {
    if (argc < 4) return 1;
    int ni = atoi(argv[1]), nj = atoi(argv[2]), nk = atoi(argv[3]);
    double (*a)[nk] = malloc(ni * sizeof *a);
    double (*b)[nj] = malloc(nk * sizeof *b);
    double (*c)[nj] = malloc(ni * sizeof *c);
    fill(*a, ni * nk);
    fill(*b, nk * nj);
    fill(*c, ni * nj);
    gemm(ni, nj, nk, 1.5, 0.5, a, b, c);
    show("c", *c, ni * nj);
    free(a);
    free(b);
    free(c);
    return 0;
}
