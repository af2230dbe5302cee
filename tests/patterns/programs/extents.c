/* --all args: 40, 5, 0, -2 */
/* Accesses under conditions say nothing about how large an array is: what is not known to exist is not mapped. */
#include <stdio.h>
#include <stdlib.h>
#define M 30
static int table[M];
int main(int argc, char **argv) {
    int n = argc > 1 ? atoi(argv[1]) : 40;
    int *x = calloc(n > 0 ? n : 1, sizeof *x), *few = calloc(5, sizeof *few);
    int *y = calloc(M, sizeof *y);
    int local[16];
    for (int i = 0; i < n; i++)
        if (i < 5) few[i] = i;
    for (int i = 0; i < n; i++) {
        if (i >= M) continue;
        table[i] = 2 * i;
    }
    for (int i = 0; i < M; i++)
        if (table[i] > 10) y[i] = table[i];
    for (int i = 0; i < 16; i++) local[i] = i * i;
    for (int i = 0; i < M; i += 3) y[i] = i + local[3];
    for (int i = 0; i < n; i += 3) x[i] = i;
    for (int i = 1; i < n - 1; i++) x[i] = y[i % M] + local[i & 15];
    long s = 0;
    for (int i = 0; i < M; i++) s += y[i] + table[i];
    for (int i = 0; i < n; i++) s += x[i];
    printf("%ld %d\n", s, few[3]);
    return 0;
}
