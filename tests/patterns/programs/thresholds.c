/* args: 6 20 11, 30000 40 2, 0 0 0, 1000 101 7 */
#include <stdio.h>
#include <stdlib.h>

/* Called over and over: worth it above a size. */
static void relax(int n, const long *restrict x, long *restrict y) {
    for (int i = 1; i < n - 1; i++) y[i] = (x[i - 1] + 2 * x[i] + x[i + 1]) / 4;
}

/* A sum and a last value, which the host finds as well. */
static long sum(int n, const long *restrict x, int *last) {
    long s = 0;
    int k = -1;
    for (int i = 0; i < n; i++) {
        k = i % 5;
        s += x[i] * k;
    }
    *last = k;
    return s;
}

/* Iterations that may need one another: below the size one thread runs them in order. */
static void shift(int n, const long *from, long *to) {
    for (int i = 0; i < n; i++) to[i] = from[i] + i;
}

/* One size, two loops. */
static void table(int n, long t[n][n]) {
    for (int i = 0; i < n; i++)
        for (int j = 0; j < n; j++) t[i][j] += i * j % 7;
}

/* Two sizes: no one of them decides. */
static void plane(int n, int m, long (*restrict t)[m]) {
    for (int i = 0; i < n; i++)
        for (int j = 0; j < m; j++) t[i][j] ^= i + j;
}

static void run(int n, int rows, int steps) {
    int size = n > 2 ? n : 2, side = rows > 0 ? rows : 1, last = 0;
    long *x = calloc(size, sizeof *x), *y = calloc(size, sizeof *y), *t = calloc(side * side, sizeof *t);
    for (int i = 0; i < n; i++) x[i] = y[i] = i * 37L % 101;
    for (int s = 0; s < steps; s++) {
        relax(n, x, y);
        relax(n, y, x);
    }
    long found = 0;
    for (int s = 0; s < steps; s++) {
        found ^= sum(n, x, &last) + last;
        shift(n - 1, x, s % 2 ? y : x + 1);
        table(rows, (long (*)[rows])t);
        plane(rows, rows, (long (*)[rows])t);
        /* The size grows past the threshold and back within the loop. */
        for (int i = 0; i < n >> s % 3; i++) y[i] ^= s;
    }
    long all = 0;
    for (int i = 0; i < n; i++) all = all * 3 + x[i] + 5 * y[i];
    for (int i = 0; i < rows * rows; i++) all = all * 3 + t[i];
    printf("%d %d: %ld %ld\n", n, rows, found, all);
    free(x);
    free(y);
    free(t);
}

int main(int argc, char **argv) {
    int n = argc > 1 ? atoi(argv[1]) : 6, rows = argc > 2 ? atoi(argv[2]) : 20, steps = argc > 3 ? atoi(argv[3]) : 3;
    run(n, rows, steps);
    run(20000 - n, 120 - rows, steps);
    return 0;
}
