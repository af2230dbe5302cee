/* args: 24, 1, 0, 130 */
/* LU decomposition in place, after the kernel of Rodinia's `lud`: two loops in one of the host. By hand it takes eight lines. */
#include <stdio.h>
#include <stdlib.h>

void lud(int size, float *a) {
    int i, j, k;
    float sum;
    for (i = 0; i < size; i++) {
        for (j = i; j < size; j++) {
            sum = a[i * size + j];
            for (k = 0; k < i; k++) sum -= a[i * size + k] * a[k * size + j];
            a[i * size + j] = sum;
        }
        for (j = i + 1; j < size; j++) {
            sum = a[j * size + i];
            for (k = 0; k < i; k++) sum -= a[j * size + k] * a[k * size + i];
            a[j * size + i] = sum / a[i * size + i];
        }
    }
}

int main(int argc, char **argv) {
    int size = argc > 1 ? atoi(argv[1]) : 24;
    float *a = malloc((size * size + 1) * sizeof *a);
    unsigned state = 1;
    for (int i = 0; i < size * size; i++) {
        state = state * 1103515245u + 12345u;
        a[i] = (float)(state >> 16 & 31) / 4 + (i % (size + 1) == 0 ? 50 : 0);
    }
    lud(size, a);
    for (int i = 0; i < size * size; i++) printf("%.9g\n", a[i]);
    free(a);
    return 0;
}
