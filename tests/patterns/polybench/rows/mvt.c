/* args: 50, 3 */
/* x1 += A y1 and x2 += A' y2: arrays of rows of variable length */
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

void mvt(int n, double a[n][n], double x1[n], double x2[n], double y1[n], double y2[n]) {
    for (int i = 0; i < n; i++)
        for (int j = 0; j < n; j++) x1[i] = x1[i] + a[i][j] * y1[j];
    for (int i = 0; i < n; i++)
        for (int j = 0; j < n; j++) x2[i] = x2[i] + a[j][i] * y2[j];
}

int main(int argc, char **argv) {
    if (argc < 2) return 1;
    int n = atoi(argv[1]);
    double (*a)[n] = malloc(n * sizeof *a);
    double *x1 = malloc(n * sizeof *x1);
    double *x2 = malloc(n * sizeof *x2);
    double *y1 = malloc(n * sizeof *y1);
    double *y2 = malloc(n * sizeof *y2);
    fill(*a, n * n);
    fill(x1, n);
    fill(x2, n);
    fill(y1, n);
    fill(y2, n);
    mvt(n, a, x1, x2, y1, y2);
    show("x1", x1, n);
    show("x2", x2, n);
    free(a);
    free(x1);
    free(x2);
    free(y1);
    free(y2);
    return 0;
}
