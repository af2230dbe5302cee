/* Loops whose ends are elements of small arrays: such that nothing changes while the loop runs, and such that a pointer
 * or the loop itself may change. */
#include <stdio.h>

static int points[3];
static long rows[2] = { 300, 200 };
static int moved[2] = { 90000, 80000 };
static double f[300][300], g[300][300], v[90000];

static void set(int n)
{
    points[0] = n;
    points[1] = n - 20;
    points[2] = 3;
}

static void smooth(void)
{
    for (int i = 1; i < points[0] - 1; i++)
        for (int j = 0; j < points[1]; j++)
            f[i][j] += 0.5 * g[i][j] + g[i - 1][j];
}

static void by_rows(void)
{
    for (long i = 0; i < rows[0]; i++)
        for (long j = 0; j < rows[1]; j++)
            v[i * rows[1] + j] = i - j;
}

static void pulled_in(void)
{
    for (int i = 0; i < moved[0]; i++) {
        v[i] += 1.0;
        if (i == 70000)
            moved[0] = 75000;
    }
}

static void by_pointer(int *last)
{
    for (int i = 0; i < moved[1]; i++) {
        v[i] += 2.0;
        last[0] = i;
    }
}

int main(int argc, char **argv)
{
    double sum = 0.0;
    set(argc > 1 ? 100 : 300);
    for (int i = 0; i < points[0]; i++)
        for (int j = 0; j < points[0]; j++)
            g[i][j] = i + 2 * j;
    for (int t = 0; t < 3; t++)
        smooth();
    by_rows();
    pulled_in();
    by_pointer(&moved[1]);
    for (int i = 0; i < 300; i++)
        for (int j = 0; j < 300; j++)
            sum += f[i][j] * (i + 1) - v[i * 300 + j];
    printf("%.17g %d\n", sum, moved[1]);
    return 0;
}
