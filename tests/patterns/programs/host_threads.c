/* Loops that threads of the host run: those that may be kernels become some, and the others keep their pragmas. */
#include <stdio.h>
#include <stdlib.h>

#define ROWS 60
#define COLS 300

static double grid[ROWS][COLS], next[ROWS][COLS];
static int order[20000];

static void fill(double *restrict x, int n)
{
    #pragma omp parallel for schedule(static)
    for (int i = 0; i < n; i++)
        x[i] = i % 31;
}

static void axpy(double *y, const double *x, int n, double a)
{
    #pragma omp parallel for default(none) shared(y, x, n, a) \
        schedule(dynamic, 64) num_threads(4)
    for (int i = 0; i < n; i++)
        y[i] += a * x[i];
}

static double dot(const double *x, const double *y, int n)
{
    double sum = 0, rest = 0;
    #pragma omp parallel for reduction(+: sum)
    for (int i = 0; i < n; i++)
        sum += x[i] * y[i];
    /* Nobody says that this sum may be rounded differently. */
    for (int i = 0; i < n; i++)
        rest += x[i] - y[i];
    return sum + rest;
}

static void smooth(void)
{
    int i, j;
    #pragma omp parallel for private(j)
    for (i = 1; i < ROWS - 1; i++)
        for (j = 1; j < COLS - 1; j++)
            next[i][j] = grid[i - 1][j] + grid[i + 1][j] + grid[i][j - 1] + grid[i][j + 1];
    #pragma omp parallel for collapse(2)
    for (i = 0; i < ROWS; i++)
        for (j = 0; j < COLS; j++)
            grid[i][j] = next[i][j] - grid[i][j];
}

static void scatter(double *restrict to, const double *restrict from, int n)
{
    /* Who says that no two numbers are alike? The pragma does, and nothing else. */
    #pragma omp parallel for
    for (int i = 0; i < n; i++)
        to[order[i]] = from[i];
}

static double in_a_team(double *restrict x, int n)
{
    double most = 0;
    #pragma omp parallel
    {
        #pragma omp for
        for (int i = 0; i < n; i++)
            x[i] *= 2;
        #pragma omp for reduction(max: most)
        for (int i = 0; i < n; i++)
            if (x[i] > most)
                most = x[i];
    }
    return most;
}

static void by_teams(double *restrict x, double *restrict y, int n)
{
    int i;
    #pragma omp parallel
    {
        #pragma omp for schedule(static)
        for (i = 0; i < n; i++)
            x[i] = i % 7;
        #pragma omp barrier
        #pragma omp for nowait
        for (i = 0; i < n; i++)
            y[i] += x[i];
    }
    #pragma omp parallel
    {
        #pragma omp for
        for (i = 0; i < n; i++)
            x[i] += 1;
        #pragma omp for
        for (i = 0; i < n; i++)
            y[order[i]] += x[i];
    }
}

static double kept(double *restrict x, int n)
{
    double last = 5;
    /* Each thread has a `last` of its own, and behind the loop it is 5 again; without OpenMP it is not. */
    #pragma omp parallel for private(last)
    for (int i = 0; i < n; i++) {
        last = x[i] + 1;
        x[i] = last * 2;
    }
    return last > 0;
}

static long counted(const double *x, int n)
{
    long count = 0;
    #pragma omp parallel for
    for (int i = 0; i < n; i++)
        if (x[i] > 7) {
            #pragma omp atomic
            count++;
        }
    return count;
}

int main(void)
{
    int n = 20000;
    double *x = malloc(n * sizeof *x), *y = malloc(n * sizeof *y);
    fill(x, n);
    fill(y, n);
    axpy(y, x, n, 2);
    for (int i = 0; i < n; i++)
        order[i] = n - 1 - i;
    for (int i = 0; i < ROWS; i++)
        for (int j = 0; j < COLS; j++)
            grid[i][j] = (i * 7 + j) % 13;
    for (int t = 0; t < 3; t++)
        smooth();
    printf("%.17g %.17g\n", dot(x, y, n), grid[5][7]);
    scatter(y, x, n);
    printf("%.17g %.17g %ld\n", y[3], in_a_team(x, n), counted(x, n));
    by_teams(x, y, n);
    printf("%g\n", kept(x, n));
    for (int i = 0; i < n; i += 500)
        printf("%.17g %.17g\n", x[i], y[i]);
    free(x);
    free(y);
    return 0;
}
