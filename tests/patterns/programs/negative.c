/* --all args: 100, 0, -3 */
#include <stdio.h>
#include <stdlib.h>
/* Nothing may be mapped in front of the condition: where it does not hold, there are -3 elements. */
static void work(int n, int *p, int *q, int *c) {
    if (n > 0) {
        #pragma omp target teams distribute parallel for map(tofrom: p[0:n]) map(to: q[0:n])
        for (int i = 0; i < n; i++) {
        }
    }
    for (int i = 0; i < 100; i++) c[i] = i / 3;
}
int main(int argc, char **argv) {
    int n = atoi(argv[1]), a[100], b[100], c[100];
    long s = 0;
    a[0] = b[0] = c[0] = 1;
    for (int i = 1; i < 100; i++) a[i] = b[i] = c[i] = (a[i - 1] + 3) % 17;
    work(n, a, b, c);
    work(n, b, a, c);
    for (int i = 0; i < 100; i++) s = s * 31 + a[i] * 3 + b[i] + c[i];
    printf("%ld\n", s);
    return 0;
}
