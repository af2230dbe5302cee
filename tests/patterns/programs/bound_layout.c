/* --all args: 10, 0, 30 */
/* How a loop is written twice: in the user's layout, without taking an `else`, a label or a comment from its place, and only where
 * it is short. */
#include <stdio.h>
#include <stdlib.h>

#define EACH(i, n) for (int i = 0; i < (n); i++)
#define LAST *n

void one_line(int *n, int *a) { for (int i = 0; i < *n; i++) a[i] = 1; }

void behind(int c, int *n, int *a) {
    c++; for (int i = 0; i < *n; i++) a[i] = c; a[0] = 7; // the first is special
    for (int i = 0; i < *n; i++) a[i] += 2; // twice
    for (int i = 0; i < *n; i++) a[i] += 3; /* a comment
                                               of two lines */
}

void dangling(int c, int *n, int *a) {
    if (c)
        for (int i = 0; i < *n; i++)
            if (a[i] > 4) a[i] = 4;
            else a[i] += 1;
    else if (c < 0) for (int i = 0; i < *n; i++) a[i] = 5;
    else printf("dangling\n");
    do
        for (int i = 0; i < *n; i++)
            if (a[i] > 5) a[i] = 6;
    while (c-- > 1);
}

void inside(int c, int *n, int *a) {
    switch (c) {
    case 1:
        for (int i = 0; i < *n; i++) a[i] -= 4;
        break;
    default: for (int i = 0; i < *n; i++) a[i] -= 5;
    }
again:
    for (int i = 0; i < *n; i++) {
        /* a comment within
           of two lines */
        int twice = 2 * a[i];

        a[i] = twice % 19;  // and one more
    }
    if (c-- > 0)
        goto again;
}

void by_macros(int *n, int *a) {
    EACH(i, *n) a[i] += 8;
    for (int i = 0; i < LAST; i++) a[i] += 9;
}

void in_place(int *n, int *a) {
  int i, last;
#ifdef UNKNOWN
  for (i = 0; i < *n; i++) a[i] = 0;
#else
  for (i = 0; i < *n; i++)
  {
    last = a[i];
    a[i] = last + 1;
  }
#endif
  for (i = 0; i < *n; i++) {
#ifdef UNKNOWN
    a[i] = 3;
#endif
    a[i] *= 2;
  }
  for (i = 0; i < *n; i++) \
    a[i] %= 31;
}

void too_long(int *n, int *a) {
    for (int i = 0; i < *n; i++) {
        a[i] += 1;
        a[i] *= 2;
        a[i] += 2;
        a[i] *= 3;
        a[i] += 3;
        a[i] *= 4;
        a[i] += 4;
        a[i] %= 1000;
    }
}

/* Who has written the loop twice has thought of the host. */
void by_hand(int size, int *restrict a, const int *restrict b) {
    if (size > 20) {
        #pragma omp target teams distribute parallel for map(tofrom: a[0:size]) map(to: b[0:size])
        for (int i = 0; i < size; i++) a[i] += b[i];
    } else {
        for (int i = 0; i < size; i++) a[i] += b[i];
    }
}

static void show(const char *what, const int *a) {
    printf("%s:", what);
    for (int i = 0; i < 64; i++) printf(" %d", a[i]);
    printf("\n");
}

static void all(int c, int *n, int *a) {
    int keep = *n;
    one_line(n, a), show("one line", a), *n = keep;
    behind(c, n, a), show("behind", a), *n = keep;
    dangling(c, n, a), show("dangling", a), *n = keep;
    inside(c, n, a), show("inside", a), *n = keep;
    by_macros(n, a), show("macros", a), *n = keep;
    in_place(n, a), show("in place", a), *n = keep;
    too_long(n, a), show("too long", a), *n = keep;
}

int main(int argc, char **argv) {
    int n = argc > 1 ? atoi(argv[1]) : 10;
    int *a = malloc(1100 * sizeof *a), *b = malloc(64 * sizeof *b);
    for (int i = 0; i < 1100; i++) a[i] = i * i % 23;
    for (int i = 0; i < 64; i++) b[i] = i;
    for (int c = -1; c < 3; c++) all(c, &n, a);
    for (int c = -1; c < 3; c++) a[5] = n, all(c, a + 5, a);
    by_hand(n, a, b), show("by hand", a);
    free(a), free(b);
    return 0;
}
