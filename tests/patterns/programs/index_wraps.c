/* --all args:  */
/* Unsigned indices that get to the end by way of zero: a worksharing loop counts no iterations then, on the host either. */
#include <stdio.h>
static int v[300], w[300];
static void from_to(int *p, unsigned first, unsigned end)
{
    for (unsigned i = first; i != end; i++) p[i + 10] += 3;
    for (unsigned i = end; i != first; i--) p[i + 20] += 5;
}
static void plain(int *p, unsigned n)
{
    for (unsigned i = 0; i != n; i++) p[i] += 1;
    for (unsigned i = n; i > 0; i--) p[i - 1] *= 2;
}
int main(void)
{
    for (unsigned i = 4294967290u; i != 5; i++) v[i + 10] += 7;
    for (unsigned i = -3; i != 4; i++) v[i + 100] += 9;
    from_to(w, 2, 9);
    from_to(w, 4294967293u, 6);
    plain(v, 300);
    for (int i = 0; i < 300; i++) printf("%d %d\n", v[i], w[i]);
    return 0;
}
