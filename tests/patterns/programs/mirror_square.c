/* --all args: 6, 1 */
#include <stdio.h>
#include <stdlib.h>

/* A square filled by a triangle and its mirror image, and some that are not. */
void whole(int n, double *restrict c, double *restrict x) {
    for (int i = 0; i < n; i++)
        for (int j = i; j < n; j++) {
            c[i * n + j] = x[i] * x[j];
            c[j * n + i] = c[i * n + j];
        }
}
void diagonal(int n, double c[n][n]) {
    for (int i = 0; i < n; i++) {
        c[i][i] = 1;
        for (int j = i + 1; j < n; j++) {
            c[i][j] = i - j;
            c[j][i] = c[i][j];
        }
    }
}
void but_the_last(double *c) {
    for (int i = 0; i < 31; i++) {
        c[i * 32 + i] = 1;
        for (int j = i + 1; j < 32; j++) {
            c[i * 32 + j] = i - j;
            c[j * 32 + i] = c[i * 32 + j];
        }
    }
}
/* Not filled: the diagonal, the last two rows, half of each row, where a condition says no, after a break. */
void no_diagonal(int n, double c[n][n]) {
    for (int i = 0; i < n; i++)
        for (int j = i + 1; j < n; j++) {
            c[i][j] = i - j;
            c[j][i] = c[i][j];
        }
}
void too_short(double *c) {
    for (int i = 0; i < 30; i++)
        for (int j = i; j < 32; j++) {
            c[i * 32 + j] = i - j;
            c[j * 32 + i] = c[i * 32 + j];
        }
}
void long_rows(double *c) {
    for (int i = 0; i < 32; i++)
        for (int j = i; j < 32; j++) {
            c[i * 64 + j] = i - j;
            c[j * 64 + i] = c[i * 64 + j];
        }
}
void sometimes(int n, double c[n][n], const int *restrict p) {
    for (int i = 0; i < n; i++)
        for (int j = i; j < n; j++) {
            c[i][j] = i - j;
            if (p[i]) c[j][i] = i + j;
        }
}
void until(int n, double c[n][n], const int *restrict p) {
    for (int i = 0; i < n; i++)
        for (int j = i; j < n; j++) {
            if (p[j]) break;
            c[i][j] = i - j;
            c[j][i] = i + j;
        }
}

static void show(const char *name, double *c, int count) {
    printf("%s", name);
    for (int i = 0; i < count; i++) {
        printf(" %g", c[i]);
        c[i] = 100 + i % 7;
    }
    printf("\n");
}

int main(int argc, char **argv) {
    int n = argc > 1 ? atoi(argv[1]) : 6;
    double *c = malloc(64 * 64 * sizeof *c), *x = malloc(n * sizeof *x);
    int *p = malloc(n * sizeof *p);
    for (int i = 0; i < n; i++) {
        x[i] = i + 0.5;
        p[i] = i == 3;
    }
    for (int i = 0; i < 64 * 64; i++) c[i] = i % 5;
    whole(n, c, x);
    show("whole", c, n * n);
    diagonal(n, (double (*)[n])c);
    show("diagonal", c, n * n);
    but_the_last(c);
    show("but the last", c, 32 * 32);
    no_diagonal(n, (double (*)[n])c);
    show("no diagonal", c, n * n);
    too_short(c);
    show("too short", c, 32 * 32);
    long_rows(c);
    show("long rows", c, 32 * 64);
    sometimes(n, (double (*)[n])c, p);
    show("sometimes", c, n * n);
    until(n, (double (*)[n])c, p);
    show("until", c, n * n);
    free(c);
    free(x);
    free(p);
    return 0;
}
