/* --all args: 5, 0 */
/* Pointers as values: stored, compared, handed on, as numbers. An address that is made in a kernel is one of the device. */
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

struct node { int key; struct node *next; };
struct cell { double *p; double v; };

static double b[400], z;
static double *row[20];
static const char *word[8];
static double (*func[8])(double);
static struct node pool[30];
static struct cell cells[30];

static double twice(double x) { return 2 * x; }
static int same(double *p, double *q) { return p == q; }

/* Rows of a block: of the device's copy, if it were a kernel. */
static void rows(double **r, double *block, int n, int m) {
    for (int i = 0; i < n; i++) r[i] = block + i * m;
}

/* Which element is it? */
static int position(const double *block, const double *at, int n) {
    int found = -1, count = 0;
    for (int i = 0; i < n; i++) count += at == &block[i];
    for (int i = 0; i < n; i++) found = at == block + i && i > found ? i : found;
    return 10 * found + count;
}

static unsigned long numbers(const double *block, const double *end, int n) {
    unsigned long c = 0;
    for (int i = 0; i < n; i++) c += (uintptr_t)&block[i] == (uintptr_t)end;
    return c;
}

/* Pointers that each iteration has for itself are followed, and no more. */
static void locally(double *restrict a, int n) {
    for (int i = 0; i < n; i++) {
        double t[2] = { i, i + 1 }, *p = t;
        p += i % 2;
        a[i] = *p;
    }
}

/* What is null is null everywhere. */
static void cleared(double **r, int n) {
    for (int i = 0; i < n; i++) r[i] = NULL;
}

int main(int argc, char **argv) {
    int k = argc > 1 ? atoi(argv[1]) : 0;
    for (int i = 0; i < 400; i++) b[i] = i % 7;
    for (int i = 0; i < 20; i++) row[i] = b + 20 * i;
    row[1][0] = k;
    double *heap = malloc(400 * sizeof *heap), *table[20], *kept[20];
    for (int i = 0; i < 400; i++) heap[i] = i;
    rows(table, heap, 20, 20);
    table[3][2] = k + 1;
    for (int i = 0; i < 29; i++) pool[i].next = &pool[i + 1];
    for (int i = 0; i < 30; i++) pool[i].key = i;
    for (int i = 0; i < 30; i++) { cells[i].p = &b[i]; cells[i].v = i; }
    for (int i = 0; i < 8; i++) word[i] = "word";
    for (int i = 0; i < 8; i++) func[i] = twice;
    for (int i = 0; i < 20; i++) kept[i] = &z;
    *kept[3] = 7;
    int alike = 0;
    for (int i = 0; i < 20; i++) alike += same(heap, b);
    int walked = 0;
    for (struct node *at = pool; at; at = at->next) walked += at->key;
    cells[4].p[1] = -1;
    printf("%g %g %d %d %g %g\n", b[20], heap[62], walked, alike, b[5], z);
    printf("%d %d %lu\n", position(b, b + 6, 400), position(b, heap, 400), numbers(b, b + 9, 400));
    for (int i = 0; i < 8; i++) printf("%s %g\n", word[i], func[i](i));
    locally(heap, 400);
    for (int i = 0; i < 400; i++) printf("%g ", heap[i]);
    cleared(table, 20);
    for (int i = 0; i < 20; i++) printf("%d", table[i] == NULL);
    ptrdiff_t far = 0;
    for (int i = 0; i < 20; i++) far += row[i] - b;
    printf("\n%td\n", far);
    free(heap);
    return 0;
}
