/* --all args:  */
/* What is asked at run time has sizes in it: whether arrays are apart, and whether iterations are. */
#include <stdio.h>
#ifndef N
#define N 100
#endif
#ifndef LAG
#define LAG 100
#endif
static double pool[4 * N + 4 * LAG];
void add(double *x, const double *y)
{
    for (int i = 0; i < N; i++) x[i] += y[i];
}
void halve(double *x, const double *y, int k)
{
    for (int i = 0; i < N; i++) x[i + k] = 0.5 * y[2 * i];
}
/* Parallel only where the lag is no shorter than the loop. */
static void lag(double *x)
{
    for (int i = 0; i < N; i++) x[i + LAG] = x[i] + 1;
}
int main(void)
{
    for (int i = 0; i < 4 * N + 4 * LAG; i++) pool[i] = i % 9;
    for (int t = 0; t < 4; t++) {
        add(pool, pool + N);
        add(pool + 1, pool + N);
        halve(pool, pool + N + LAG, 3);
        halve(pool + N, pool, 1);
        lag(pool + N);
    }
    for (int i = 0; i < 4 * N + 4 * LAG; i++) printf("%g\n", pool[i]);
    return 0;
}
