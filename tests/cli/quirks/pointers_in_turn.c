/* clang 19: wrong. Members of two structs, one of which points to the other, on one construct. */
#include <stdio.h>
#include <stdlib.h>

struct grid { int n; double *cells; };
struct owner { int id; struct grid *grid; double *own; };

int main(void)
{
    struct grid g = { 8, calloc(8, sizeof(double)) };
    struct owner owner = { 1, &g, calloc(8, sizeof(double)) }, *o = &owner;
    #pragma omp target teams distribute parallel for map(to: o->id, o->grid->n) \
        map(tofrom: o->grid->cells[0:8], o->own[0:8])
    for (int i = 0; i < 8; i++) {
        o->grid->cells[i] += o->id;
        o->own[i] += o->grid->n;
    }
    puts(g.cells[5] == 1 && owner.own[5] == 8 ? "right" : "wrong");
    return 0;
}
