/* args: 40 32, 3 4 */
/* A = Q R by the method of Gram and Schmidt: arrays of rows of variable length */
#include <math.h>
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

void gramschmidt(int m, int n, double a[m][n], double r[n][n], double q[m][n]) {
    for (int k = 0; k < n; k++) {
        double nrm = 0;
        for (int i = 0; i < m; i++) nrm += a[i][k] * a[i][k];
        r[k][k] = sqrt(nrm);
        for (int i = 0; i < m; i++) q[i][k] = a[i][k] / r[k][k];
        for (int j = k + 1; j < n; j++) {
            r[k][j] = 0;
            for (int i = 0; i < m; i++) r[k][j] += q[i][k] * a[i][j];
            for (int i = 0; i < m; i++) a[i][j] = a[i][j] - q[i][k] * r[k][j];
        }
    }
}

int main(int argc, char **argv) {
    if (argc < 3) return 1;
    int m = atoi(argv[1]), n = atoi(argv[2]);
    double (*a)[n] = malloc(m * sizeof *a);
    double (*r)[n] = malloc(n * sizeof *r);
    double (*q)[n] = malloc(m * sizeof *q);
    fill(*a, m * n);
    fill(*r, n * n);
    gramschmidt(m, n, a, r, q);
    show("a", *a, m * n);
    show("r", *r, n * n);
    show("q", *q, m * n);
    free(a);
    free(r);
    free(q);
    return 0;
}
