/* args: 32 36 30 34 38, 3 4 5 6 7 */
/* G = (A B) (C D): arrays of rows of variable length */
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

void mm3(int ni, int nj, int nk, int nl, int nm, double a[ni][nk], double b[nk][nj], double c[nj][nm],
         double d[nm][nl], double e[ni][nj], double f[nj][nl], double g[ni][nl]) {
    for (int i = 0; i < ni; i++)
        for (int j = 0; j < nj; j++) {
            e[i][j] = 0;
            for (int k = 0; k < nk; ++k) e[i][j] += a[i][k] * b[k][j];
        }
    for (int i = 0; i < nj; i++)
        for (int j = 0; j < nl; j++) {
            f[i][j] = 0;
            for (int k = 0; k < nm; ++k) f[i][j] += c[i][k] * d[k][j];
        }
    for (int i = 0; i < ni; i++)
        for (int j = 0; j < nl; j++) {
            g[i][j] = 0;
            for (int k = 0; k < nj; ++k) g[i][j] += e[i][k] * f[k][j];
        }
}

int main(int argc, char **argv) {
    if (argc < 6) return 1;
    int ni = atoi(argv[1]), nj = atoi(argv[2]), nk = atoi(argv[3]), nl = atoi(argv[4]), nm = atoi(argv[5]);
    double (*a)[nk] = malloc(ni * sizeof *a);
    double (*b)[nj] = malloc(nk * sizeof *b);
    double (*c)[nm] = malloc(nj * sizeof *c);
    double (*d)[nl] = malloc(nm * sizeof *d);
    double (*e)[nj] = malloc(ni * sizeof *e);
    double (*f)[nl] = malloc(nj * sizeof *f);
    double (*g)[nl] = malloc(ni * sizeof *g);
    fill(*a, ni * nk);
    fill(*b, nk * nj);
    fill(*c, nj * nm);
    fill(*d, nm * nl);
    mm3(ni, nj, nk, nl, nm, a, b, c, d, e, f, g);
    show("e", *e, ni * nj);
    show("f", *f, nj * nl);
    show("g", *g, ni * nl);
    free(a);
    free(b);
    free(c);
    free(d);
    free(e);
    free(f);
    free(g);
    return 0;
}
