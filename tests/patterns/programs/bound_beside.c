/* --all args: 30, 0, 3 */
/* Loops that are there twice beside other kernels on the same arrays: what stays on the device over all of them comes back for
 * the loop as it was, and goes up again behind it. Copies that are placed as if there were only the kernel lose what either has
 * written. */
#include <stdio.h>
#include <stdlib.h>

struct field {
    int n, steps;
    int *old, *new;
};

void relax(struct field *f, int n) {
    int *restrict old = f->old, *restrict new = f->new;
    for (int t = 0; t < 4; t++) {
        for (int i = 1; i < n - 1; i++) new[i] = (old[i - 1] + old[i] + old[i + 1]) / 3;
        for (int i = 0; i < n; i++) old[i] = new[i] + t;
    }
}

/* The members may be a part of either array. */
void run(struct field *f) {
    for (int t = 0; t < f->steps; t++) {
        for (int i = 0; i < f->n; i++) f->new[i] = f->old[i] + t;
        for (int i = 0; i < f->n; i++) f->old[i] = f->new[i] * 2 % 101;
    }
}

/* The first loop has its size in a variable, the second behind a pointer, and one more follows. */
void both(int size, int *n, int *x, int *y) {
    for (int i = 0; i < size; i++) y[i] = x[i] + 1;
    for (int i = 0; i < *n; i++) x[i] = y[i] + 2;
    for (int i = 0; i < size; i++) y[i] += x[i];
}

/* What is written between them on the host. */
void between(int *restrict x, int size, int *n, int *y, int steps) {
    for (int t = 0; t < steps; t++) {
        for (int i = 0; i < size; i++) x[i] += t;
        for (int i = 0; i < *n; i++) y[i] = x[i] % 13;
        x[0] -= 1;
    }
}

static int limit = 20;

void in_file(int *x, int steps) {
    for (int t = 0; t < steps; t++) {
        for (int i = 0; i < limit; i++) x[i] += i;
        for (int i = 0; i < limit; i++) x[i] ^= t;
    }
}

/* All of an array whose length is known, and the bound may be in it: what the test reads is on the device. */
static int table[64];

void of_known_length(int *n, int steps) {
    for (int t = 0; t < steps; t++) {
        for (int i = 0; i < 64; i++) table[i] += i % 3;
        for (int i = 0; i < *n; i++)
            if (table[i] > t) table[i] -= 1;
    }
}

/* Both loops have their bound behind a pointer, and it is known which part of the array they use. */
void halves(int *n, int *m, int steps) {
    for (int t = 0; t < steps; t++) {
        for (int i = 0; i < 64; i++) table[i] ^= t;
        for (int i = 0; i < (*n < 32 ? *n : 32); i++) table[i] += 5;
        for (int i = 32; i < (*m < 64 ? *m : 64); i++) table[i] += 7;
    }
}

static void show(const char *what, const int *a, int n) {
    printf("%s:", what);
    for (int i = 0; i < n; i++) printf(" %d", a[i]);
    printf("\n");
}

int main(int argc, char **argv) {
    int n = argc > 1 ? atoi(argv[1]) : 30, size = 50;
    int *a = malloc(64 * sizeof *a), *b = malloc(64 * sizeof *b);
    for (int i = 0; i < 64; i++) a[i] = i * i % 23, b[i] = i;
    struct field f = {n, 3, a, b};
    relax(&f, n), show("old", a, 64), show("new", b, 64);
    run(&f), show("old", a, 64), show("new", b, 64);
    struct field g = {1, 1, a, &g.n};
    a[0] = 1, run(&g), printf("%d\n", g.n), show("old", a, 64);
    a[0] = -5, g.steps = 3, run(&g), printf("%d\n", g.n), show("old", a, 64);

    both(size, &n, a, b), show("x", a, 64), show("y", b, 64);
    a[7] = n, both(12, a + 7, a, b), show("x", a, 64), show("y", b, 64);
    b[40] = n, both(12, b + 40, a, b + 20), show("x", a, 64), show("y", b, 64);
    both(20, &n, a, a + 10), show("x", a, 64);

    between(a, size, &n, b, 3), show("x", a, 64), show("y", b, 64);
    b[5] = n, between(a, size, b + 5, b, 3), show("x", a, 64), show("y", b, 64);
    in_file(a, 3), show("file", a, 64);
    limit = 1, in_file(&limit, 3), printf("%d\n", limit);
    of_known_length(&n, 3), show("known", table, 64);
    table[5] = n, of_known_length(table + 5, 4), show("known inside", table, 64);
    halves(&n, &size, 3), show("halves", table, 64);
    table[40] = n, table[3] = 50, halves(table + 40, table + 3, 3), show("halves inside", table, 64);
    table[6] = n, table[50] = 55, halves(table + 6, table + 50, 3), show("halves within", table, 64);
    free(a), free(b);
    return 0;
}
