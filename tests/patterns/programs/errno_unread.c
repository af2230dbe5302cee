/* --all args: 5, 0 */
/* Nobody looks at errno, in any function that there is. (`%%m` is a percent sign and an m.) */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>

static double a[500];

static double root(double x) { return sqrt(x); }

int main(int argc, char **argv) {
    int k = argc > 1 ? atoi(argv[1]) : 0;
    for (int i = 0; i < 500; i++) a[i] = root(i + k);
    for (int i = 0; i < 500; i++) a[i] = floor(4 * sqrt(a[i]));
    for (int i = 0; i < 500; i++) printf("%g %%m\n", a[i]);
    return 0;
}
