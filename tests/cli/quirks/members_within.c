/* clang 19: wrong. Two members of a struct that is itself a member, one of them a pointer. */
#include <stdio.h>
#include <stdlib.h>

struct box { int n; double *a; int m; };
struct state { int id; struct box box; double t; };

int main(void)
{
    struct state st = { 1, { 8, 0, 3 }, 2.0 }, *s = &st;
    s->box.a = calloc(8, sizeof(double));
    #pragma omp target teams distribute parallel for \
        map(to: s->box.n, s->box.m) map(tofrom: s->box.a[0:8])
    for (int i = 0; i < 8; i++)
        s->box.a[i] += s->box.n + s->box.m;
    puts(s->box.a[5] == 11 ? "right" : "wrong");
    return 0;
}
