/* --all args: 9 4 20 3, 9 4 9 3, 9 4 1 3, 9 4 0 2, 3 1 -1 2, 2 5 1 1, 0 3 0 1 */
/* Pointers to rows: a step is a row, in the test and where it is read again. */
#include <stdio.h>
#include <stdlib.h>

void smooth(int n, int m, int steps, long (*a)[m], long (*b)[m]) {
    for (int t = 0; t < steps; t++) {
        for (int i = 1; i < n - 1; i++)
            for (int j = 0; j < m; j++) b[i][j] = a[i - 1][j] + 2 * a[i + 1][j];
        for (int i = 1; i < n - 1; i++)
            for (int j = 0; j < m; j++) a[i][j] = b[i][j] % 1000;
    }
}

void turn(int n, int steps, long (*a)[8], long (*b)[8]) {
    for (int t = 0; t < steps; t++) {
        for (int i = 0; i < n; i++)
            for (int j = 0; j < 8; j++) b[i][j] = a[i][7 - j];
        for (int i = 0; i < n; i++)
            for (int j = 0; j < 8; j++) a[i][j] = b[i][j] + j;
    }
}

int main(int argc, char **argv) {
    if (argc < 5) return 1;
    int n = atoi(argv[1]), m = atoi(argv[2]), by = atoi(argv[3]), steps = atoi(argv[4]);
    int size = (2 * n + abs(by) + 2) * (m + 8);
    long *v = malloc(size * sizeof *v);
    for (int i = 0; i < size; i++) v[i] = i * 37 % 101;
    long *middle = v + (by < 0 ? -by * 8 : 0);
    smooth(n, m, steps, (long (*)[m])middle, (long (*)[m])middle + by);
    turn(n, steps, (long (*)[8])middle, (long (*)[8])middle + by);
    long sum = 0;
    for (int i = 0; i < size; i++) sum = sum * 3 + v[i];
    printf("%ld\n", sum);
    free(v);
    return 0;
}
