/* --all args: 10, 0, 40 */
/* Loops that may write their own bound. OpenMP computes it once, the loop reads it each time: so the loop is there twice, as a
 * kernel where no array holds the bound, and as it was where one does. Each is run both ways, and where the bound is a part of
 * the array the loop ends early, or goes on for longer than it began; a kernel under `if(0)` would do neither. */
#include <stdio.h>
#include <stdlib.h>

void cleared(int *n, int *a) {
    for (int i = 0; i < *n; i++) a[i] = 0;
}

/* What it writes over its bound is larger than that: it goes on until the array's end is the bound. */
void counted(int *n, int *a, int most) {
    for (int i = 0; i < *n; i++) {
        a[i] = most;
    }
}

/* Two elements a step, and the bound is that of an index that goes down. */
void downwards(const int *first, int *a) {
    for (int i = 40; i > *first; i -= 2) a[i] += 3;
}

/* Perfectly nested: both bounds are behind pointers. */
void rows(int *n, int *m, int (*g)[16]) {
    for (int i = 0; i < *n; i++)
        for (int j = 0; j < *m; j++) g[i][j] = i - j;
}

/* The inner bound is read only where the outer loop runs: elsewhere it may lead nowhere. */
void flat(int *m, int *n, int s, int *g) {
    for (int i = 0; i < *n; i++)
        for (int j = 0; j < *m; j++) g[i * s + j] = i + 2 * j + 3;
}

/* One bound is never written, and both loops become one where the other is not. */
void square(int *n, int s, int *g) {
    for (int i = 0; i < *n; i++)
        for (int j = 0; j < s; j++) g[i * s + j] -= i + j;
}

/* A bound with a member, and one of a file. */
struct vector {
    int n, *a;
};

void of_struct(struct vector *v) {
    for (int i = 0; i < v->n; i++) v->a[i] -= 3;
}

int global = 6;

void of_file(int *a) {
    for (int i = 0; i < global; i++) a[i] -= 7;
}

/* The bound may be far larger than the array, where the loop overwrites it in time: no address is that far away. */
void far(long *n, long *a) {
    for (long i = 0; i < *n; i++) a[i] = 6 + i;
}

/* A sum beside: on the host it is one over the iterations that there were. */
int summed(int *n, int *a, const int *b) {
    int sum = 0;
    for (int i = 0; i < *n; i++) {
        a[i] = 1;
        sum += b[i];
    }
    return sum;
}

/* The bound is not read before the loop would read it. */
void where_set(int t, int *n, int *a) {
    for (int k = 0; k < t; k++)
        for (int i = 0; i < *n; i++) a[i] += k;
    if (!n)
        printf("no bound\n");
    else
        for (int i = 0; i < *n; i++)
            if (a[i] > 3) a[i] = 3;
}

static void show(const char *what, const int *a, int n) {
    printf("%s:", what);
    for (int i = 0; i < n; i++) printf(" %d", a[i]);
    printf("\n");
}

static void grid(const char *what, int (*g)[16]) {
    printf("%s\n", what);
    for (int i = 0; i < 16; i++) show("row", g[i], 16);
}

int main(int argc, char **argv) {
    int n = argc > 1 ? atoi(argv[1]) : 10, m = 5;
    int *a = malloc(64 * sizeof *a), *b = malloc(64 * sizeof *b);
    int(*g)[16] = malloc(16 * sizeof *g);
    for (int i = 0; i < 64; i++) a[i] = i * i % 23, b[i] = i;
    for (int i = 0; i < 256; i++) g[i / 16][i % 16] = 9;

    cleared(&n, a), show("apart", a, 64);
    a[4] = n, cleared(a + 4, a + 1), show("ends early", a, 64);
    counted(&n, b, 60), show("apart", b, 64);
    b[3] = 4, counted(b + 3, b, 17), show("goes on", b, 64);
    b[3] = n, counted(b + 3, b + 4, 12), show("beside", b, 64);
    m = 5, downwards(&m, a), show("apart", a, 64);
    a[12] = 5, downwards(a + 12, a), show("ends early", a, 64);
    a[13] = 5, downwards(a + 13, a), show("not on the way", a, 64);

    m = 5, rows(&m, &m, g), grid("rows apart", g);
    g[1][2] = 9, rows(&m, &g[1][2], g), grid("inner bound", g);
    g[1][2] = 6, m = 16, rows(&g[1][2], &m, g), grid("outer bound", g);
    g[0][7] = 8, rows(&g[0][7], &g[0][7], g), grid("both", g);

    m = 4, flat(&m, &m, 5, *g), grid("same bounds", g);
    int outer = 6, none = 0;
    flat(&m, &outer, 7, *g), grid("flat", g);
    g[2][2] = 3, flat(*g + 34, &outer, 7, *g), grid("flat inner", g);
    g[2][3] = 5, flat(&m, *g + 35, 7, *g), grid("flat outer", g);
    flat(NULL, &none, 7, *g), grid("flat none", g);
    square(&outer, 9, *g), grid("square", g);
    g[0][8] = 7, square(*g + 8, 9, *g), grid("square ends early", g);

    struct vector v = {n, a};
    of_struct(&v), show("struct", a, 64), printf("%d\n", v.n);
    v.n = 1, v.a = &v.n, of_struct(&v), printf("its own bound: %d\n", v.n);
    of_file(a), show("file", a, 64);
    global = 1, of_file(&global), printf("its own bound: %d\n", global);

    printf("%d\n", summed(&n, a, b)), show("sum", a, 64);
    a[2] = 9, printf("%d\n", summed(a + 2, a, b)), show("sum ends early", a, 64);
    long length = n, *l = calloc(64, sizeof *l);
    far(&length, l), l[5] = 1L << 61, far(l + 5, l), l[7] = (1L << 61) + 3, far(l + 7, l + 1);
    for (int i = 0; i < 64; i++) printf("%ld ", l[i]);
    free(l);
    where_set(0, NULL, a), where_set(3, &n, a), show("set", a, 64);
    a[1] = 2, a[2] = 30, where_set(2, a + 1, a), show("set inside", a, 64);
    free(a), free(b), free(g);
    return 0;
}
