/* Comments keep `annotate` away from a loop, from a function, and from a part of one; those about rules, and about `rewrite`, do not.
 */
#include <stdio.h>

#define N 40000

static double a[N], b[N], c[N], d[N], e[N];

static void on_device(void)
{
    for (int i = 0; i < N; i++)
        a[i] = i * 0.5;
}

// ompmemopt: ignore[annotate] too small to be worth it
static void on_host(void)
{
    for (int i = 0; i < N; i++)
        b[i] = i * 0.25;
}

static void partly(void)
{
    for (int i = 0; i < N; i++)
        c[i] = a[i] + b[i];
    /* ompmemopt: off */
    for (int i = 0; i < N; i++)
        d[i] = a[i] - b[i];
    /* ompmemopt: on */
    for (int i = 0; i < N; i++)
        e[i] = a[i] * c[i];
}

/* ompmemopt: off[OMM101, rewrite] */
static double sum(void)
{
    double s = 0.0;
    for (int i = 0; i < N; i++)
        s += c[i] + d[i] + e[i];
    return s;
}

int main(void)
{
    on_device();
    on_host();
    partly();
    printf("%.3f\n", sum());
    for (int i = 0; i < N; i += 997)
        printf("%g %g %g %g %g\n", a[i], b[i], c[i], d[i], e[i]);
    return 0;
}
