/* --all args: 10, 0, 40 */
/* A bound behind a pointer: OpenMP reads it once, the loop each time. So the array must not hold it. Where neither restrict nor a
 * promise nor the callers say so, the loop is there twice. */
#include <stdio.h>
#include <stdlib.h>

void restricted(const int *n, int *restrict a) {
    for (int i = 0; i < *n; i++) a[i] += i;
}

// ompmemopt: noalias
void promised(int *n, int *a) {
    for (int i = 0; i < *n; i++) a[i] *= 3;
}

/* Only ever called with variables that are no part of the array. */
static void called_apart(int *n, int *a) {
    for (int i = 0; i < *n; i++) a[i] ^= 5;
}

/* Called with an element of the array: it ends early. */
static void called_inside(int *n, int *a) {
    for (int i = 0; i < *n; i++) a[i] = 2;
}

/* Both behind one pointer, that callers set apart. */
struct vector {
    int n, *a;
};

static void of_struct(struct vector *v) {
    for (int i = 0; i < v->n; i++) v->a[i] -= 1;
}

int main(int argc, char **argv) {
    int n = argc > 1 ? atoi(argv[1]) : 10, size = n + 8;
    int *a = calloc(size, sizeof *a);
    struct vector *v = malloc(sizeof *v);
    v->n = n;
    v->a = a;
    restricted(&n, a);
    promised(&n, a);
    called_apart(&n, a);
    of_struct(v);
    a[5] = size;
    called_inside(a + 5, a);
    for (int i = 0; i < size; i++) printf("%d ", a[i]);
    printf("\n");
    free(a);
    free(v);
    return 0;
}
