/* Rows are as long as a variable says; one element comes back in each step, and the others never do. */
#include <stdio.h>
#include <stdlib.h>

int main(int argc, char **argv)
{
    int r = argc > 1 ? atoi(argv[1]) : 5, cols = 6;
    double (*g)[cols] = malloc(r * sizeof *g);
    for (int i = 0; i < r; i++)
        for (int j = 0; j < cols; j++)
            g[i][j] = 10 * i + j;
    #pragma omp target data map(to: g[0:r][0:cols])
    for (int t = 0; t < 4; t++) {
        #pragma omp target teams distribute parallel for
        for (int i = 0; i < r; i++)
            for (int j = 0; j < cols; j++)
                g[i][j] = g[i][j] * 2 - t;
        #pragma omp target update from(g[r - 1:1][cols - 2:1])
        printf("%g\n", g[r - 1][cols - 2]);
    }
    for (int i = 0; i < r; i++)
        for (int j = 0; j < cols; j++)
            printf("%g\n", g[i][j]);
    free(g);
    return 0;
}
