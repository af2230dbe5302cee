/* args: 6 30 36, 3 4 5, 0 4 5 */
/* an electromagnetic field on a plane, over time: arrays of rows of variable length */
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

void fdtd2d(int tmax, int nx, int ny, double fict[tmax], double ex[nx][ny], double ey[nx][ny], double hz[nx][ny]) {
    for (int t = 0; t < tmax; t++) {
        for (int j = 0; j < ny; j++) ey[0][j] = fict[t];
        for (int i = 1; i < nx; i++)
            for (int j = 0; j < ny; j++) ey[i][j] = ey[i][j] - 0.5 * (hz[i][j] - hz[i - 1][j]);
        for (int i = 0; i < nx; i++)
            for (int j = 1; j < ny; j++) ex[i][j] = ex[i][j] - 0.5 * (hz[i][j] - hz[i][j - 1]);
        for (int i = 0; i < nx - 1; i++)
            for (int j = 0; j < ny - 1; j++)
                hz[i][j] = hz[i][j] - 0.7 * (ex[i][j + 1] - ex[i][j] + ey[i + 1][j] - ey[i][j]);
    }
}

int main(int argc, char **argv) {
    if (argc < 4) return 1;
    int tmax = atoi(argv[1]), nx = atoi(argv[2]), ny = atoi(argv[3]);
    double *fict = malloc(tmax * sizeof *fict);
    double (*ex)[ny] = malloc(nx * sizeof *ex);
    double (*ey)[ny] = malloc(nx * sizeof *ey);
    double (*hz)[ny] = malloc(nx * sizeof *hz);
    fill(fict, tmax);
    fill(*ex, nx * ny);
    fill(*ey, nx * ny);
    fill(*hz, nx * ny);
    fdtd2d(tmax, nx, ny, fict, ex, ey, hz);
    show("ex", *ex, nx * ny);
    show("ey", *ey, nx * ny);
    show("hz", *hz, nx * ny);
    free(fict);
    free(ex);
    free(ey);
    free(hz);
    return 0;
}
