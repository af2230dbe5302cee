/* Loops that are left before their last iteration: what lies behind is not there. The last rows of `low` and of `key` are
 * short, and the table that `seek` is handed as `key` ends where the first row does. */
#include <stdio.h>
#include <stdlib.h>

enum { WIDE = 60 };

static void seek(int n, int m, const int *low, const int *key, int *out)
{
    for (int i = 0; i < n; i++)
        for (int j = 1; j < m; j++) {
            out[i * m + j] = (key[j + 4] + i) % 109;
            if (low[i * n + j] < 21)
                break;
        }
}

int main(void)
{
    int *key = malloc(sizeof *key * 38);
    int *out = malloc(sizeof *out * 17 * WIDE);
    struct {
        int low[274], behind[60];
    } at;
    for (int q = 0; q < 38; q++)
        key[q] = (2 * q + 4) % 96;
    for (int q = 0; q < 17 * WIDE; q++)
        out[q] = (12 * q + 8) % 18;
    for (int q = 0; q < 274; q++)
        at.low[q] = (9 * q + 9) % 79;
    for (int q = 0; q < 60; q++)
        at.behind[q] = q;
    seek(17, WIDE, at.low, key, out);
    seek(5, 0, key, at.low, out);
    seek(3, 9, at.behind, at.low, out);
    unsigned long sum = 17;
    for (int q = 0; q < 17 * WIDE; q++)
        sum = sum * 31 + (unsigned long)out[q];
    for (int q = 0; q < 60; q++)
        sum = sum * 31 + (unsigned long)at.behind[q];
    printf("%lu\n", sum);
    free(key);
    free(out);
    return 0;
}
