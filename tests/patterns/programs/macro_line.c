/* --all args:  */
/* Sizes are macros: of arrays of several types, with a halo, a stride, an offset and a scaled size. What the directives
 * say has to be right in builds with other sizes. */
#include <stdio.h>
#include <stdlib.h>
#ifndef N
#define N 400
#endif
#ifndef HALO
#define HALO 2
#endif
#define CELLS (N + 2 * HALO)
static double a[CELLS], b[CELLS];
static int odd[2 * N];
static short low[N];
int main(void)
{
    float *part = malloc(N / 2 * sizeof *part);
    for (int i = 0; i < CELLS; i++) a[i] = b[i] = i % 7;
    for (int i = 0; i < N; i++) low[i] = i % 5;
    for (int i = 0; i < 2 * N; i++) odd[i] = 1;
    for (int t = 0; t < 6; t++) {
        for (int i = HALO; i < N + HALO; i++) b[i] = a[i - HALO] + a[i + HALO];
        for (int i = HALO; i < N + HALO; i++) a[i] = 0.5 * b[i];
        a[HALO] = t;
    }
    for (int i = 1; i < 2 * N; i += 2) odd[i] = i;
    for (int i = 0; i < N / 2; i++) part[i] = low[i + N / 2] * 0.5f;
    for (int i = N - 1; i >= N / 4; i--) low[i] = low[i] * 2;
    for (int i = 0; i < CELLS; i++) printf("%g %g\n", a[i], b[i]);
    for (int i = 0; i < 2 * N; i++) printf("%d\n", odd[i]);
    for (int i = 0; i < N; i++) printf("%d\n", low[i]);
    for (int i = 0; i < N / 2; i++) printf("%g\n", part[i]);
    free(part);
    return 0;
}
