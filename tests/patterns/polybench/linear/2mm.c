/* E = (A B) D: arrays from malloc, subscripts written out */
#include <stdio.h>
#include <stdlib.h>

#define NI 32
#define NJ 36
#define NK 30
#define NL 34

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

void mm2(double *a, double *b, double *c, double *d, double *e) {
    for (int i = 0; i < NI; i++)
        for (int j = 0; j < NJ; j++) {
            c[i * NJ + j] = 0;
            for (int k = 0; k < NK; ++k) c[i * NJ + j] += a[i * NK + k] * b[k * NJ + j];
        }
    for (int i = 0; i < NI; i++)
        for (int j = 0; j < NL; j++) {
            e[i * NL + j] = 0;
            for (int k = 0; k < NJ; ++k) e[i * NL + j] += c[i * NJ + k] * d[k * NL + j];
        }
}

int main(void) {
    double *a = malloc(NI * NK * sizeof *a);
    double *b = malloc(NK * NJ * sizeof *b);
    double *c = malloc(NI * NJ * sizeof *c);
    double *d = malloc(NJ * NL * sizeof *d);
    double *e = malloc(NI * NL * sizeof *e);
    fill(a, NI * NK);
    fill(b, NK * NJ);
    fill(d, NJ * NL);
    mm2(a, b, c, d, e);
    show("c", c, NI * NJ);
    show("e", e, NI * NL);
    free(a);
    free(b);
    free(c);
    free(d);
    free(e);
    return 0;
}
