/* --all args: 5, 0 */
/* Clauses that clang refuses, or that have no names: each costs its own loop, and no other one. */
#include <stdio.h>
#include <stdlib.h>

struct item { int key; double val; };

static double a[300], b[300];
static struct item items[300];

/* Text has no name that could be mapped. */
static void letters(int n) {
    for (int i = 0; i < n; i++) a[i] += "0123456789abcdef"[i % 16];
}

/* No start that OpenMP knows. */
static void later(int n, int i) {
    for (i += 1; i < n; i++) b[i] += 2;
    for (i = i - n; i < n; i++) b[i > 0 ? i : 0] = 1;
}

/* Sections that begin before the array that a parameter is declared as. */
static void before(double c[100], int n) {
    for (int i = 0; i < n; i++) c[i - 3] += i;
}

static void nothing(void) {
    for (int i = 5; i < 2; i++) a[i] = i;
}

static void through(void *p, int n) {
    for (int i = 0; i < n; i++) (&((struct item *)p + i)->val)[0] += i;
}

static void plain(int n) {
    for (int i = 0; i < n; i++) a[i] += b[i];
}

int main(int argc, char **argv) {
    int k = argc > 1 ? atoi(argv[1]) : 0;
    letters(300);
    later(200, k);
    before(b + 20, 100);
    nothing();
    through(items, 300);
    plain(300);
    for (int i = 0; i < 300; i++) printf("%g %g %d %g\n", a[i], b[i], items[i].key, items[i].val);
    return 0;
}
