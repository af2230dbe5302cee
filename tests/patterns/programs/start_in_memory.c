/* --all args: 4, 0 */
/* Loops that begin with a number in memory. A kernel reads that for itself, so it is mapped; and where the loop writes it, it
 * has been read before. */
#include <stdio.h>
#include <stdlib.h>

struct range {
    int first, last;
};

/* Nothing else of the loop is in memory. */
void counted(const int *from) {
    int i;
    for (i = *from; i > 0; i--) {
    }
}

void down(const int *from, int *a) {
    for (int i = *from; i > 0; i--) a[i] = 3 * i;
}

void up(int *from, int n, int *a) {
    for (int k = *from; k < n; k++) a[k] += 7;
}

void between(const struct range *r, int *a) {
    for (int k = r->first; k < r->last; k++) a[k] -= k;
}

/* Its first element says where it begins. */
void own(int *a, int n) {
    for (int k = a[0]; k < n; k++) a[k] = 2 * a[k];
}

int main(int argc, char **argv) {
    int first = argc > 1 ? atoi(argv[1]) : 2, n = 40;
    int *a = malloc(n * sizeof *a);
    if (!a) return 1;
    for (int i = 0; i < n; i++) a[i] = i % 7;
    counted(&first);
    down(&first, a);
    up(&first, n, a);
    struct range r = {first, first + 9};
    between(&r, a);
    a[0] = 5;
    own(a, n);
    for (int i = 0; i < n; i++) printf("%d ", a[i]);
    printf("\n");
    a[30] = 28;
    up(a + 30, n, a);
    for (int i = 0; i < n; i++) printf("%d ", a[i]);
    printf("\n");
    free(a);
    return 0;
}
