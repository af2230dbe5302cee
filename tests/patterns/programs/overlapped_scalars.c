/* --all args: 0, 3, 7 */
#include <stdio.h>
#include <stdlib.h>
/* Arrays over scalars that the loop reads: where they overlap it has to see what it writes, on the host, too. OpenMP would
 * compute a bound once and hand the kernel the value that a global had before. */
struct all { int factor, limit, spare[6], v[64]; } x;
int f, lim;
void scaled(int n, int *p) { for (int i = 0; i < n; i++) p[i] = x.factor + i; }
void global(int n, int *p) { for (int i = 0; i < n; i++) p[i] = f + i; }
void bounded(int *p) { for (int i = 0; i < lim; i++) p[i] = i; }
void inner(int n, int *p) { for (int i = 0; i < n; i++) for (int j = 0; j < lim; j++) p[i * lim + j] = i + 2; }
void member(struct all *s, int *p) { for (int i = 0; i < s->limit; i++) p[i] = i; }
int main(int argc, char **argv)
{
    int k = atoi(argv[1]);
    int *at[] = {x.v, &x.factor, x.spare, &x.limit - 1};
    int *p = at[k & 3];
    x.factor = 5, x.limit = 20;
    scaled(6, p);
    f = 9;
    global(1, k == 7 ? &f : p), global(k == 7 ? 1 : 4, k == 7 ? &f : p);
    printf("%d %d\n", f, x.factor);
    lim = 4;
    bounded(k == 3 ? &lim : p);
    printf("%d\n", lim);
    lim = 3;
    inner(k == 3 ? 1 : 2, k == 3 ? (lim = 1, &lim) : p);
    x.limit = 5;
    member(&x, p);
    for (int i = 0; i < 64; i++) printf("%d ", x.v[i]);
    printf("%d %d %d %d\n", x.factor, x.limit, lim, x.spare[2]);
    return 0;
}
