/* --all args: 10, 0 */
/* Ways around a test: `goto`, `case`, and the other branch of an `if`. A loop that control comes to past the declaration of
 * another loop's test would find a variable without a value, or none. */
#include <stdio.h>
#include <stdlib.h>

void branches(int c, int n, double *x, double *y) {
    if (c)
        for (int i = 0; i < n; i++) y[i] += x[i];
    else
        for (int i = 0; i < n; i++) y[i] -= x[i];
}

void cases(int c, int n, double *x, double *y) {
    switch (c) {
    case 1:
        for (int i = 0; i < n; i++) y[i] += x[i];
        break;
    default:
        for (int i = 0; i < n; i++) y[i] -= x[i];
    }
}

void jumps(int c, int n, double *x, double *y) {
    if (c) goto past;
    for (int i = 0; i < n; i++) y[i] += x[i];
past:
    for (int i = 0; i < n; i++) y[i] -= x[i] / 2;
}

void into(int c, int n, int m, double *x, double *y) {
    int k = 0;
    if (c) goto past;
    for (k = 0; k < m; k++) {
        y[0] += 1;
past:
        for (int i = 0; i < n; i++) y[i] -= x[i] * k;
    }
}

void behind(int c, int n, double *x, double *y) {
    switch (c & 1) {
    case 0:
        do {
            for (int i = 0; i < n; i++) y[i] += x[i];
    case 1:
            y[0] += 1;
        } while ((c -= 2) > 0);
    }
}

/* What a garbage test would be: other values have been where it stands. */
static void fill(int with) {
    volatile int a[256];
    for (int i = 0; i < 256; i++) a[i] = with;
}

int main(int argc, char **argv) {
    int n = argc > 1 ? atoi(argv[1]) : 10;
    double *x = malloc(64 * sizeof *x);
    for (int i = 0; i < 64; i++) x[i] = i % 7;
    for (int c = 0; c < 2; c++)
        for (int with = -1; with < 1; with++) {
            fill(with), branches(c, n, x, x + 32), branches(c, n, x, x + 1);
            fill(with), cases(c, n, x, x + 32), fill(with), cases(c, n, x, x + 1);
            fill(with), jumps(c, n, x, x + 32), fill(with), jumps(c, n, x, x + 1);
            fill(with), behind(c + 2, n, x, x + 32), fill(with), behind(c + 2, n, x, x + 1);
            fill(with), into(c, n, 3, x, x + 32), fill(with), into(c, n, 3, x, x + 1);
        }
    for (int i = 0; i < 64; i++) printf("%g ", x[i]);
    printf("\n");
    free(x);
    return 0;
}
