/* --all args: 9 4, 0 4, 1 1, 3 0, -3 -5 */
/* Indices and sizes of several types; loops that do not run. */
#include <stdio.h>
#include <stdlib.h>
int main(int argc, char **argv) {
    int n = argc > 1 ? atoi(argv[1]) : 9, m = argc > 2 ? atoi(argv[2]) : 4;
    unsigned u = n > 0 ? n : 0;
    size_t z = u;
    long l = n;
    int size = (n < 0 ? -n : n) + 3, rows = size * ((m < 0 ? -m : m) + 3);
    int *a = calloc(size, sizeof *a), *b = calloc(rows, sizeof *b), *c = calloc(size, sizeof *c);
    for (unsigned i = 0; i < u; i++) a[i] = i;
    for (unsigned i = 1; i < u; i++) c[i - 1] = a[i];
    for (size_t i = 0; i < z; i++) a[i] += c[i];
    for (long i = l - 1; i >= 0; i--) c[i] = a[i] * 3;
    for (int i = 0; i <= n; i++) a[i] = c[i] - 1;
    for (int i = 0; i < n; i++)
        for (int j = 0; j < m; j++) b[i * m + j] = i - j;
    for (size_t i = 0; i < z; i++)
        for (size_t j = 0; j < 3; j++) b[i * 3 + j] ^= 5;
    for (int i = n; i > 0; --i) c[i] = a[i - 1];
    unsigned t = 7;
    for (unsigned i = 0; i < u; i++) t ^= (unsigned)a[i] * i;
    int most = a[0];
    for (int i = 0; i < n; i++)
        if (c[i] > most) most = c[i];
    printf("%u %d\n", t, most);
    for (int i = 0; i < size; i++) printf("%d %d,", a[i], c[i]);
    for (int i = 0; i < rows; i++) printf("%d%c", b[i], i + 1 < rows ? ' ' : '\n');
    return 0;
}
