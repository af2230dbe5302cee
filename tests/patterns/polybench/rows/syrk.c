/* args: 36 30, 3 4 */
/* C = alpha A A' + beta C: arrays of rows of variable length */
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

void syrk(int n, int m, double alpha, double beta, double a[n][m], double c[n][n]) {
    for (int i = 0; i < n; i++)
        for (int j = 0; j < n; j++) {
            c[i][j] *= beta;
            for (int k = 0; k < m; k++) c[i][j] += alpha * a[i][k] * a[j][k];
        }
}

int main(int argc, char **argv) {
    if (argc < 3) return 1;
    int n = atoi(argv[1]), m = atoi(argv[2]);
    double (*a)[m] = malloc(n * sizeof *a);
    double (*c)[n] = malloc(n * sizeof *c);
    fill(*a, n * m);
    fill(*c, n * n);
    syrk(n, m, 1.5, 0.5, a, c);
    show("c", *c, n * n);
    free(a);
    free(c);
    return 0;
}
