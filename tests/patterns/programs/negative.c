/* --all args: 100, 0, -3 */
#include <stdio.h>
#include <stdlib.h>
/* Nothing may be mapped in front of the conditions: where they do not hold, there are -3 elements. */
static void work(int n, int *restrict p, int *restrict q, int *restrict r) {
    if (n > 0) {
        #pragma omp target teams distribute parallel for map(tofrom: p[0:n]) map(to: q[0:n]) map(from: r[0:n])
        for (int i = 0; i < n; i++) r[i] = (i * 3) & 255;
    }
    if (n > 1) {
        #pragma omp target teams distribute parallel for map(tofrom: p[0:n], r[0:n])
        for (int i = 0; i < n; i++) p[i] = r[i] + 1;
    }
    for (int i = 1; i < n; i++) r[i] += r[i - 1] & 7;
}
int main(int argc, char **argv) {
    int n = atoi(argv[1]), a[100], b[100], c[100], d[100];
    long s = 0;
    a[0] = b[0] = c[0] = 1;
    for (int i = 1; i < 100; i++) a[i] = b[i] = c[i] = (a[i - 1] + 3) % 17;
    for (int i = 0; i < 100; i++) d[i] = i / 3;
    work(n, a, b, c);
    for (int i = 0; i < 100; i++) s = s * 31 + a[i] * 3 + b[i] + c[i] + d[i];
    printf("%ld\n", s);
    return 0;
}
