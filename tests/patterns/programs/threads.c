/* --all args: 5 */
/* What host threads call is left alone; the rest is not. */
#include <stdio.h>
static int a[64], b[64];
static void part(int from) {
    for (int i = 0; i < 16; i++) a[from + i] = i;
}
static void other(void) {
    for (int i = 0; i < 64; i++) b[i] = 2 * i;
}
int main(void) {
    #pragma omp parallel for
    for (int t = 0; t < 4; t++) part(16 * t);
    other();
    for (int i = 0; i < 64; i++) printf("%d ", a[i] + b[i]);
    return 0;
}
