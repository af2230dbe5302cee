/* args: 32 36 30 34, 3 4 5 6 */
/* E = (A B) D: arrays of rows of variable length */
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

void mm2(int ni, int nj, int nk, int nl, double a[ni][nk], double b[nk][nj], double c[ni][nj], double d[nj][nl],
         double e[ni][nl]) {
    for (int i = 0; i < ni; i++)
        for (int j = 0; j < nj; j++) {
            c[i][j] = 0;
            for (int k = 0; k < nk; ++k) c[i][j] += a[i][k] * b[k][j];
        }
    for (int i = 0; i < ni; i++)
        for (int j = 0; j < nl; j++) {
            e[i][j] = 0;
            for (int k = 0; k < nj; ++k) e[i][j] += c[i][k] * d[k][j];
        }
}

int main(int argc, char **argv) {
    if (argc < 5) return 1;
    int ni = atoi(argv[1]), nj = atoi(argv[2]), nk = atoi(argv[3]), nl = atoi(argv[4]);
    double (*a)[nk] = malloc(ni * sizeof *a);
    double (*b)[nj] = malloc(nk * sizeof *b);
    double (*c)[nj] = malloc(ni * sizeof *c);
    double (*d)[nl] = malloc(nj * sizeof *d);
    double (*e)[nl] = malloc(ni * sizeof *e);
    fill(*a, ni * nk);
    fill(*b, nk * nj);
    fill(*d, nj * nl);
    mm2(ni, nj, nk, nl, a, b, c, d, e);
    show("c", *c, ni * nj);
    show("e", *e, ni * nl);
    free(a);
    free(b);
    free(c);
    free(d);
    free(e);
    return 0;
}
