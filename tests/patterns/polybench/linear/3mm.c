/* G = (A B) (C D): arrays from malloc, subscripts written out */
#include <stdio.h>
#include <stdlib.h>

#define NI 32
#define NJ 36
#define NK 30
#define NL 34
#define NM 38

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

void mm3(double *a, double *b, double *c, double *d, double *e, double *f, double *g) {
    for (int i = 0; i < NI; i++)
        for (int j = 0; j < NJ; j++) {
            e[i * NJ + j] = 0;
            for (int k = 0; k < NK; ++k) e[i * NJ + j] += a[i * NK + k] * b[k * NJ + j];
        }
    for (int i = 0; i < NJ; i++)
        for (int j = 0; j < NL; j++) {
            f[i * NL + j] = 0;
            for (int k = 0; k < NM; ++k) f[i * NL + j] += c[i * NM + k] * d[k * NL + j];
        }
    for (int i = 0; i < NI; i++)
        for (int j = 0; j < NL; j++) {
            g[i * NL + j] = 0;
            for (int k = 0; k < NJ; ++k) g[i * NL + j] += e[i * NJ + k] * f[k * NL + j];
        }
}

int main(void) {
    double *a = malloc(NI * NK * sizeof *a);
    double *b = malloc(NK * NJ * sizeof *b);
    double *c = malloc(NJ * NM * sizeof *c);
    double *d = malloc(NM * NL * sizeof *d);
    double *e = malloc(NI * NJ * sizeof *e);
    double *f = malloc(NJ * NL * sizeof *f);
    double *g = malloc(NI * NL * sizeof *g);
    fill(a, NI * NK);
    fill(b, NK * NJ);
    fill(c, NJ * NM);
    fill(d, NM * NL);
    mm3(a, b, c, d, e, f, g);
    show("e", e, NI * NJ);
    show("f", f, NJ * NL);
    show("g", g, NI * NL);
    free(a);
    free(b);
    free(c);
    free(d);
    free(e);
    free(f);
    free(g);
    return 0;
}
