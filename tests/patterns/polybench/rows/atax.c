/* args: 45 38, 3 4 */
/* y = A' (A x): arrays of rows of variable length */
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

void atax(int nx, int ny, double a[nx][ny], double x[ny], double y[ny], double tmp[nx]) {
    for (int i = 0; i < nx; i++) {
        tmp[i] = 0;
        for (int j = 0; j < ny; j++) tmp[i] = tmp[i] + a[i][j] * x[j];
    }
    for (int j = 0; j < ny; j++) {
        y[j] = 0;
        for (int i = 0; i < nx; i++) y[j] = y[j] + a[i][j] * tmp[i];
    }
}

int main(int argc, char **argv) {
    if (argc < 3) return 1;
    int nx = atoi(argv[1]), ny = atoi(argv[2]);
    double (*a)[ny] = malloc(nx * sizeof *a);
    double *x = malloc(ny * sizeof *x);
    double *y = malloc(ny * sizeof *y);
    double *tmp = malloc(nx * sizeof *tmp);
    fill(*a, nx * ny);
    fill(x, ny);
    atax(nx, ny, a, x, y, tmp);
    show("y", y, ny);
    show("tmp", tmp, nx);
    free(a);
    free(x);
    free(y);
    free(tmp);
    return 0;
}
