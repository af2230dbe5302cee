/* args: 3, 0, -2 */
#include <stdio.h>
#include <stdlib.h>

#define BINS 8

int main(int argc, char **argv) {
    int n = argc > 1 ? atoi(argv[1]) : 3;
    int size = n > 0 ? n : 1;
    long bins[BINS] = {0}, *big = calloc(size, sizeof *big);
    /* Launched a thousand times for eight iterations of cheap work each. */
    for (int t = 0; t < 1000; t++) {
        for (int b = 0; b < BINS; b++) bins[b] = bins[b] * 3 + b;
        bins[t % BINS] ^= t;
    }
    /* Much work, but never more than eight iterations at a time. */
    long rows[BINS];
    for (int b = 0; b < BINS; b++) {
        rows[b] = b;
        for (int k = 0; k < 100000; k++) rows[b] = rows[b] * 5 + k;
    }
    /* Whoever names a size wants it large. */
    for (int i = 0; i < n; i++) big[i] = 2L * i;
    /* A size in a loop that runs as often as it likes. */
    for (int t = 0; t < n; t++)
        for (int i = 0; i < n; i++) big[i] = big[i] * 2 + t;
    long sum = 0;
    for (int b = 0; b < BINS; b++) sum ^= bins[b] + rows[b];
    for (int i = 0; i < n; i++) sum ^= big[i];
    printf("%ld\n", sum);
    free(big);
    return 0;
}
