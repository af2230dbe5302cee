/* --all args:  */
/* Sizes are variables that nothing changes, one of each of several functions; an enumerator; a number in hexadecimal. */
#include <stdio.h>
#include <stdlib.h>
enum { EDGE = 3, SIZE = 120 };
static float table[0x60];
static double sum(const double *x, int n)
{
    double last = 0;
    for (int i = 0; i < n; i++) last = x[i] > last ? x[i] : last;
    return last;
}
static void fill(double *x)
{
    const int n = 77;
    for (int i = 0; i < n; i++) x[i + EDGE] = i;
}
int main(void)
{
    int n = 400, half = 200;
    long wide = 0x50L;
    double *a = malloc(n * sizeof *a), *b = malloc(SIZE * sizeof *b);
    for (int i = 0; i < n; i++) a[i] = i;
    for (int i = 0; i < SIZE; i++) b[i] = 1;
    for (int t = 0; t < 5; t++) {
        for (int i = 0; i < n; i++) a[i] = a[i] * 0.5 + t;
        for (int i = 0; i < half; i++) a[i + half] = a[i];
        for (int i = 1; i < SIZE - 1; i++) b[i] = b[i] + a[i];
        for (int i = 0; i < wide; i++) table[i + 16] = t + i;
        fill(b);
    }
    printf("%g\n", sum(a, n));
    for (int i = 0; i < n; i++) printf("%g\n", a[i]);
    for (int i = 0; i < SIZE; i++) printf("%g\n", b[i]);
    for (int i = 0; i < 0x60; i++) printf("%g\n", table[i]);
    free(a);
    free(b);
    return 0;
}
