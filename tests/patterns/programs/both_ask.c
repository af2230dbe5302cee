/* --all args: 40 30, 5 33, 0 3, 40 -2 */
#include <stdio.h>
#include <stdlib.h>
/* The maps and the verdict ask for `m <= n`: where rows overlap, threads of the host must not share them either. */
static void fill(int n, int m, int *p) {
    for (int i = 0; i <= n - 1; i++)
        for (int j = i; j <= m - 1; j++) p[i * n + j] = j;
}
int main(int argc, char **argv) {
    int n = atoi(argv[1]), m = atoi(argv[2]);
    int *p = malloc(4000 * sizeof *p);
    long s = 0;
    p[0] = 1;
    for (int i = 1; i < 4000; i++) p[i] = (p[i - 1] + 3) % 17;
    fill(n, m, p);
    for (int i = 0; i < 4000; i++) s = s * 31 + p[i];
    printf("%ld\n", s);
    return 0;
}
