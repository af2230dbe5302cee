/* --all args: 5 */
/* With an array on the device already, a kernel would work on the copy there. */
#include <stdio.h>
#include <stdlib.h>
static void twice(int n, int *restrict x) {
    for (int i = 0; i < n; i++) x[i] *= 2;
}
int main(int argc, char **argv) {
    int n = 100, *x = malloc(100 * sizeof *x);
    for (int i = 0; i < n; i++) x[i] = i;
    #pragma omp target data map(to: x[0:n])
    twice(n, x);
    printf("%d\n", x[argc]);
    return 0;
}
