/* args: 44 52, 3 4 */
/* s = r A and q = A p: arrays of rows of variable length */
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

void bicg(int nx, int ny, double a[nx][ny], double r[nx], double s[ny], double p[ny], double q[nx]) {
    for (int j = 0; j < ny; j++) {
        s[j] = 0;
        for (int i = 0; i < nx; i++) s[j] = s[j] + r[i] * a[i][j];
    }
    for (int i = 0; i < nx; i++) {
        q[i] = 0;
        for (int j = 0; j < ny; j++) q[i] = q[i] + a[i][j] * p[j];
    }
}

int main(int argc, char **argv) {
    if (argc < 3) return 1;
    int nx = atoi(argv[1]), ny = atoi(argv[2]);
    double (*a)[ny] = malloc(nx * sizeof *a);
    double *r = malloc(nx * sizeof *r);
    double *s = malloc(ny * sizeof *s);
    double *p = malloc(ny * sizeof *p);
    double *q = malloc(nx * sizeof *q);
    fill(*a, nx * ny);
    fill(r, nx);
    fill(p, ny);
    bicg(nx, ny, a, r, s, p, q);
    show("s", s, ny);
    show("q", q, nx);
    free(a);
    free(r);
    free(s);
    free(p);
    free(q);
    return 0;
}
