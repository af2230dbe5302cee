/* --all args:  */
/* errno is looked at by a pointer to it, over calls that do not set it, and at the end of the program. */
#include <errno.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>

static double a[4000], b[4000];
static int *place;

static void at_end(void) { printf("at the end %d\n", *place); }

static double gentle(const double *restrict x, double *restrict y, int n)
{
    double s = 0;
    for (int i = 0; i < n; i++)
        y[i] = sinh(x[i]);
    for (int i = 0; i < n; i++)
        s += y[i] > 10;
    return s;
}

int main(void)
{
    place = &errno;
    atexit(at_end);
    for (int i = 0; i < 4000; i++)
        a[i] = i;
    *place = 0;
    double s = gentle(a, b, 4000);
    int first = *place;
    *place = 0;
    for (int i = 0; i < 4000; i++)
        b[i] = a[i] * 2 + 1;
    printf("%d %g\n", first, s);
    for (int i = 0; i < 4000; i++)
        b[i] = lgamma(-a[i]) > 0 ? 1 : 2;
    for (int i = 0; i < 4000; i += 10)
        printf("%g\n", b[i]);
    return 0;
}
