/* args: 3 5, 0 -3, 0 50000000 */
#include <stdio.h>
#include <stdlib.h>
/* Where the outer loop does not run, `p` may not have these elements. */
static void work(double *p, int n, int steps) {
    for (int t = 0; t < steps; t++)
        for (int i = 0; i < 40000; i++) p[n + i] = p[n + i] * 0.5 + t + p[n + i] / 3 + p[n + i] * p[n + i] * 0.001;
}
int main(int argc, char **argv) {
    int steps = atoi(argv[1]), n = atoi(argv[2]);
    long size = (n > 0 ? n : 0) + (steps > 0 ? 40000L : 1);
    double *p = malloc(size * sizeof *p), s = 0;
    for (long i = 0; i < size; i++) { p[i] = i * 1e-9; if (i % 1000 == 77) p[i] = p[i - 1]; }
    work(p, n, steps);
    for (int i = 0; i < size; i++) s += p[i];
    printf("%g\n", s);
    return 0;
}
