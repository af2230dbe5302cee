/* s = r A and q = A p: arrays from malloc, subscripts written out */
#include <stdio.h>
#include <stdlib.h>

#define NX 44
#define NY 52

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

void bicg(double *a, double *r, double *s, double *p, double *q) {
    for (int j = 0; j < NY; j++) {
        s[j] = 0;
        for (int i = 0; i < NX; i++) s[j] = s[j] + r[i] * a[i * NY + j];
    }
    for (int i = 0; i < NX; i++) {
        q[i] = 0;
        for (int j = 0; j < NY; j++) q[i] = q[i] + a[i * NY + j] * p[j];
    }
}

int main(void) {
    double *a = malloc(NX * NY * sizeof *a);
    double *r = malloc(NX * sizeof *r);
    double *s = malloc(NY * sizeof *s);
    double *p = malloc(NY * sizeof *p);
    double *q = malloc(NX * sizeof *q);
    fill(a, NX * NY);
    fill(r, NX);
    fill(p, NY);
    bicg(a, r, s, p, q);
    show("s", s, NY);
    show("q", q, NX);
    free(a);
    free(r);
    free(s);
    free(p);
    free(q);
    return 0;
}
