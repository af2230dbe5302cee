/* --all args: 9 4, 0 0, -3 -5, 1 -2, 70 3 */
/* What OpenACC has otherwise than OpenMP: counts of nested loops, conditions, indices, last values, functions that are called. */
#include <stdio.h>
#include <stdlib.h>
static int cube(int x); /* named here first */
static int half(int x), twice(int x);
struct cell {
    int half;
};
static int host(int x) { return cube(x) + twice(x); }
static int clip(int x)
{
    return x > 100 ? 100 : x;
}
static int deep(int x)
{
    return clip(x) + 1;
}
static int cube(int x)
{
    return x * x * x % 1000;
}
static int half(int x) { return x / 2; }
static int twice(int x) { return 2 * x; }
int main(int argc, char **argv)
{
    int n = atoi(argv[1]), m = atoi(argv[2]), i, j, last = -1;
    size_t rows = n > 0 ? n : 0, columns = m > 0 ? m : 0;
    unsigned u = argc > 3 ? strtoul(argv[3], 0, 10) : (unsigned)(n > 0 ? n : 0);
    struct cell c = {5};
    int *a = calloc(rows * columns + 1, sizeof *a), *b = calloc(rows + 1, sizeof *b);
    int small[8][16];
    long sum = 0;
    for (i = 0; i < n; i++)
        for (j = 0; j < m; j++)
            a[i * m + j] = i - j;
    for (i = 0; i < 8; i++)
        for (j = 0; j < 16; j++)
            small[i][j] = i * j;
    for (int k = 0; k < n; k++) b[k] = cube(k) + deep(k);
    for (int k = 0; k < n; k++) b[k] += half(k);
    for (int k = 0; k != n && k < n; k++) b[k] += 1;
    if (n > 0)
        for (int k = 0; k != n; k++) b[k] += 2;
    for (unsigned k = 0; k < u; k++) b[k] += 3;
    for (size_t k = 0; k < rows; k++) b[k] += 4;
    for (int k = 0; k < n; k++) last = b[k];
    for (int k = 0; k < n; k++) sum += b[k] * 5;
    for (i = 0; i < n; i++) printf("%d ", b[i]);
    for (i = 0; i < n * m && n > 0; i++) printf("%d ", a[i]);
    printf("%d %ld %d %d %d\n", last, sum, small[7][15], host(c.half), half(c.half));
    free(a);
    free(b);
    return 0;
}
