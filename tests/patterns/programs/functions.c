/* --all args: 12, 0 */
/* Functions that kernels call keep their loops; pointers into arrays are left alone; so are members. */
#include <stdio.h>
#include <stdlib.h>
struct grid { int n; double *u; double spare[8]; };
static double power(double x, int k) {
    double p = 1;
    for (int i = 0; i < k; i++) p = p * x;
    return p;
}
static int triangle(int k) {
    int w[8], s = 0;
    for (int i = 0; i < 8; i++) w[i] = k * i;
    for (int i = 0; i < 8; i++) s += w[i];
    return s;
}
static void fill(struct grid *g) {
    for (int i = 0; i < g->n; i++) g->u[i] = i;
}
#define CLEAR(a, n) for (int q = 0; q < (n); q++) (a)[q] = 0
int main(int argc, char **argv) {
    int n = argc > 1 ? atoi(argv[1]) : 12;
    struct grid g = { n, malloc((n + 1) * sizeof(double)), {0} };
    double *x = malloc((n + 1) * sizeof *x);
    int *k = malloc((n + 1) * sizeof *k);
    double *inside = x + 1;
    fill(&g);
    CLEAR(x, n + 1);
    CLEAR(k, n + 1);
    for (int i = 0; i < n; i++) x[i] = power(i, 3);
    for (int i = 0; i < n; i++) inside[i] = i;
    for (int i = 0; i < n; i++) k[i] = triangle(i); for (int i = 0; i < n; i++) k[i] += 1;
    for (int i = 0; i < 8; i++) g.spare[i] = i;
    switch (n) {
    case 12:
        for (int i = 0; i < n; i++) k[i] -= 2;
        break;
    default:
        for (int i = 0; i < n; i++) k[i] -= 3;
    }
    double s = 0;
    for (int i = 0; i <= n; i++) s += x[i] + k[i];
    for (int i = 0; i < n; i++) s += g.u[i];
    printf("%.17g %g\n", s, g.spare[7]);
    return 0;
}
