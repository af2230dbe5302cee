/* --all args: 20, 0, -4 */
/* Global pointers, sizes and scalars. */
#include <stdio.h>
#include <stdlib.h>
static double *P, *Q;
static int N;
static double alpha = 1.5;
static void init(int n) {
    N = n;
    P = malloc((n > 0 ? n : 1) * sizeof *P);
    Q = malloc((n > 0 ? n : 1) * sizeof *Q);
}
static void fill(void) {
    for (int i = 0; i < N; i++) P[i] = i * alpha;
    for (int i = 0; i < N; i++) Q[i] = 2 * P[i];
}
int main(int argc, char **argv) {
    init(argc > 1 ? atoi(argv[1]) : 20);
    fill();
    double *p = P;
    for (int i = 0; i < N; i++) p[i] += alpha;
    int last = 0, t;
    for (int i = 0; i < N; i++) {
        t = i * 2;
        Q[i] += t;
    }
    for (int i = 0; i < N; i++) last = last > (int)Q[i] ? last : (int)Q[i];
    for (int i = 0; i < N; i++) printf("%g %g,", P[i], Q[i]);
    printf("%d\n", last);
    return 0;
}
