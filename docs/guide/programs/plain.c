#include <stdio.h>
#include <stdlib.h>

void scale(int n, double a, const double *x, double *y)
{
    for (int i = 0; i < n; i++)
        y[i] += a * x[i];
}

int main(int argc, char **argv)
{
    int n = argc > 1 ? atoi(argv[1]) : 100000;
    double *x = malloc(n * sizeof *x), *y = malloc(n * sizeof *y);
    if (n < 1 || !x || !y)
        return 1;
    for (int i = 0; i < n; i++) {
        x[i] = i % 10;
        y[i] = 0.0;
    }
    for (int t = 0; t < 50; t++)
        scale(n, 0.5, x, y);
    for (int i = 0; i < n; i++)
        printf("%g\n", y[i]);
    free(x);
    free(y);
    return 0;
}
