/* args: -3, 5 */
/* A loop that becomes a kernel shows nothing of arrays where its test is false: for `n = -3` there are no `n` elements that a
 * `target data` could map in front of a kernel that never runs. */
#include <stdio.h>
#include <stdlib.h>

enum { M = 24 };

static void spread(int n, int m, int *p, int (*q)[m])
{
    for (int i = 0; i <= n; i++)
        for (int j = i; j < m; j++)
            q[i][j] = p[i + j];
    if (0) {
        #pragma omp target teams distribute parallel for map(tofrom: p[0:n])
        for (int i = 0; i < n; i++) {
        }
    }
}

int main(int argc, char **argv)
{
    static int a[2 * M], b[M][M];
    int n = atoi(argv[1]);

    for (int i = 0; i < 2 * M; i++)
        a[i] = i * 7 % 31;
    spread(n, M, a, b);
    spread(n, M, a, (int (*)[M])a);
    for (int i = 0; i < M; i++)
        printf("%d %d %d\n", a[i], b[0][i], b[3][i]);
    return argc - 2;
}
