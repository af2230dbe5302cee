/* an electromagnetic field on a plane, over time: arrays from malloc, subscripts written out */
#include <stdio.h>
#include <stdlib.h>

#define TMAX 6
#define NX 30
#define NY 36

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

void fdtd2d(double *fict, double *ex, double *ey, double *hz) {
    for (int t = 0; t < TMAX; t++) {
        for (int j = 0; j < NY; j++) ey[j] = fict[t];
        for (int i = 1; i < NX; i++)
            for (int j = 0; j < NY; j++)
                ey[i * NY + j] = ey[i * NY + j] - 0.5 * (hz[i * NY + j] - hz[(i - 1) * NY + j]);
        for (int i = 0; i < NX; i++)
            for (int j = 1; j < NY; j++)
                ex[i * NY + j] = ex[i * NY + j] - 0.5 * (hz[i * NY + j] - hz[i * NY + (j - 1)]);
        for (int i = 0; i < NX - 1; i++)
            for (int j = 0; j < NY - 1; j++)
                hz[i * NY + j] = hz[i * NY + j] - 0.7 * (ex[i * NY + (j + 1)] - ex[i * NY + j] +
                                                         ey[(i + 1) * NY + j] - ey[i * NY + j]);
    }
}

int main(void) {
    double *fict = malloc(TMAX * sizeof *fict);
    double *ex = malloc(NX * NY * sizeof *ex);
    double *ey = malloc(NX * NY * sizeof *ey);
    double *hz = malloc(NX * NY * sizeof *hz);
    fill(fict, TMAX);
    fill(ex, NX * NY);
    fill(ey, NX * NY);
    fill(hz, NX * NY);
    fdtd2d(fict, ex, ey, hz);
    show("ex", ex, NX * NY);
    show("ey", ey, NX * NY);
    show("hz", hz, NX * NY);
    free(fict);
    free(ex);
    free(ey);
    free(hz);
    return 0;
}
