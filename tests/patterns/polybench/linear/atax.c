/* y = A' (A x): arrays from malloc, subscripts written out */
#include <stdio.h>
#include <stdlib.h>

#define NX 45
#define NY 38

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

void atax(double *a, double *x, double *y, double *tmp) {
    for (int i = 0; i < NX; i++) {
        tmp[i] = 0;
        for (int j = 0; j < NY; j++) tmp[i] = tmp[i] + a[i * NY + j] * x[j];
    }
    for (int j = 0; j < NY; j++) {
        y[j] = 0;
        for (int i = 0; i < NX; i++) y[j] = y[j] + a[i * NY + j] * tmp[i];
    }
}

int main(void) {
    double *a = malloc(NX * NY * sizeof *a);
    double *x = malloc(NY * sizeof *x);
    double *y = malloc(NY * sizeof *y);
    double *tmp = malloc(NX * sizeof *tmp);
    fill(a, NX * NY);
    fill(x, NY);
    atax(a, x, y, tmp);
    show("y", y, NY);
    show("tmp", tmp, NX);
    free(a);
    free(x);
    free(y);
    free(tmp);
    return 0;
}
