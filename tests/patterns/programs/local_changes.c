/* --all args:  */
/* Sizes are variables that a macro changes, or what stands in parentheses: where loops run they are worth less than declared. */
#include <stdio.h>
#include <stdlib.h>
#define NEXT_LOWER(x) x--
int main(void)
{
    int n = 410, m = 230;
    double *a = malloc(n * sizeof *a), *b = malloc(m * sizeof *b);
    for (int i = 0; i < n; i++) a[i] = i;
    for (int i = 0; i < m; i++) b[i] = 1;
    NEXT_LOWER(n);
    (m)--;
    for (int t = 0; t < 4; t++) {
        for (int i = 0; i < n; i++) a[i] = a[i] * 0.5 + t;
        a[n - 1] = t;
        for (int i = 0; i < m; i++) b[i] = b[i] * 0.25 + t;
        b[m - 1] = t;
    }
    for (int i = 0; i < n; i++) printf("%g\n", a[i]);
    for (int i = 0; i < m; i++) printf("%g\n", b[i]);
    free(a);
    free(b);
    return 0;
}
