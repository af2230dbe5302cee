/* Rows of constant length, of which loops use as much as a variable says; parameters that macros declare. */
#include <stdio.h>
#include <stdlib.h>

#ifndef N
#define N 60
#endif
#define PAD 4
#define MATRIX(name, rows, cols) name[rows][cols + PAD]
#define CUBE(name, a, b, c) name[a][b][c]

static void times(int n, int m, double MATRIX(c, N, N), double MATRIX(a, N, N), double MATRIX(b, N, N))
{
    for (int i = 0; i < n; i++)
        for (int j = 0; j < m; j++) {
            c[i][j] = 0;
            for (int k = 0; k < m; k++)
                c[i][j] += a[i][k] * b[k][j];
        }
}

static void stencil(int steps, int n, double MATRIX(a, N, N), double MATRIX(b, N, N))
{
    for (int t = 0; t < steps; t++) {
        for (int i = 1; i < n - 1; i++)
            for (int j = 1; j < n - 1; j++)
                b[i][j] = a[i][j] + a[i][j - 1] + a[i][1 + j] + a[1 + i][j] + a[i - 1][j];
        for (int i = 1; i < n - 1; i++)
            for (int j = 1; j < n - 1; j++)
                a[i][j] = b[i][j] - b[i][j - 1] + b[i][1 + j] - b[1 + i][j] + b[i - 1][j];
    }
}

static void heat(int n, double CUBE(u, N, N, N), double CUBE(v, N, N, N))
{
    for (int i = 1; i < n - 1; i++)
        for (int j = 1; j < n - 1; j++)
            for (int k = 1; k < n - 1; k++)
                v[i][j][k] = u[i + 1][j][k] - 2 * u[i][j][k] + u[i - 1][j][k] + u[i][j][k + 1] + u[i][j + 1][k];
}

static void columns(int n, int m, double MATRIX(a, N, N))
{
    for (int k = 1; k < m; k++)
        for (int i = 0; i < n; i++)
            a[i][k] += a[i][k - 1];
}

int main(int argc, char **argv)
{
    (void)argv;
    int n = N - (argc > 1 ? 7 : 0);
    double (*a)[N + PAD] = calloc(N, sizeof *a), (*b)[N + PAD] = calloc(N, sizeof *b), (*c)[N + PAD] = calloc(N, sizeof *c);
    double (*u)[N][N] = calloc(N, sizeof *u), (*v)[N][N] = calloc(N, sizeof *v);
    for (int i = 0; i < N; i++)
        for (int j = 0; j < N; j++) {
            a[i][j] = (i + j) % 5;
            b[i][j] = (i * j) % 3;
            for (int k = 0; k < N; k++)
                u[i][j][k] = (i + j * k) % 7;
        }
    times(n, n - 3, c, a, b);
    stencil(3, n, a, b);
    heat(n, u, v);
    columns(n, n - 2, a);
    double sum = 0;
    for (int i = 0; i < N; i++)
        for (int j = 0; j < N; j++)
            sum += a[i][j] + 3 * b[i][j] + 5 * c[i][j] + v[i][j][(i + j) % N];
    printf("%.17g %.17g %.17g\n", sum, c[n - 1][3], v[2][3][4]);
    free(a);
    free(b);
    free(c);
    free(u);
    free(v);
    return 0;
}
