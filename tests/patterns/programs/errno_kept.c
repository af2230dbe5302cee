/* --all args: 5, 7 */
/* A device does not set errno, and `printf` says what happened without that word in the program. */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>

static double a[500], b[500], c[500];

static double root(double x) { return sqrt(x); }

int main(int argc, char **argv) {
    int k = argc > 1 ? atoi(argv[1]) : 0;
    for (int i = 0; i < 500; i++) a[i] = i - k;
    for (int i = 0; i < 500; i++) b[i] = sqrt(a[i]);
    printf("%m\n");
    for (int i = 0; i < 500; i++) c[i] = root(a[i]) + fabs(a[i]);
    for (int i = 0; i < 500; i++) c[i] += fabs(a[i]);
    for (int i = 0; i < 500; i++) printf("%g %g\n", b[i] != b[i] ? 0 : b[i], c[i] != c[i] ? 0 : c[i]);
    return 0;
}
