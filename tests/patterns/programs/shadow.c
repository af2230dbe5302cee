/* --all args: 6 */
/* Names: inner variables that hide outer ones, indices declared outside, private temporaries, static arrays. */
#include <stdio.h>
static const int weight[4] = {1, 2, 3, 4};
static int out[64], in[64];
int main(int argc, char **argv) {
    int n = argc > 1 ? argv[1][0] - '0' : 6, i, j, t;
    for (i = 0; i < 64; i++) in[i] = i;
    for (i = 0; i < n; i++)
        for (j = 0; j < n; j++) {
            t = in[i] * in[j];
            out[i * 8 + j] = t + weight[j & 3];
        }
    {
        int in = 3, n = 4;
        for (int i = 0; i < n; i++) out[i] += in;
    }
    for (i = 0; i < n; i++) {
        int s = 0;
        for (j = 0; j < n; j++) s += out[i * 8 + j];
        in[i] = s;
    }
    int w[8];
    for (i = 0; i < n; i++) {
        for (j = 0; j < 8; j++) w[j] = in[i] + j;
        for (j = 0; j < 8; j++) out[i * 8 + j] = w[7 - j];
    }
    long sum = 0;
    for (i = 0; i < 64; i++) sum += (long)out[i] * (i + 1);
    for (i = 0; i < 64; i++) printf("%d ", out[i] + in[i]);
    printf("%ld\n", sum);
    return 0;
}
