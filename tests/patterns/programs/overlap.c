/* --all args: 40 0, 40 3, 40 -3, 40 1, 40 200, 0 5, -4 5, 300 7 */
#include <stdio.h>
#include <stdlib.h>
/* Exported, so that callers may hand over anything; main does: one array twice, parts of one, arrays apart. */
void axpy(int n, int f, const int *x, int *y)
{
    for (int i = 0; i < n; i++)
        y[i] = f * x[i] + y[i] % 1000;
}
void shifted(int n, const short *x, int *y)
{
    for (int i = 3; i < n; i++)
        y[i - 3] = x[i] + y[i - 3] % 1000;
}
void distance(int n, int k, int *a)
{
    for (int i = 0; i < n; i++)
        a[i] = a[i + k] % 1000 + 1;
}
void rows(int n, int m, int s, int *c)
{
    for (int i = 0; i < n; i++)
        for (int j = 0; j < m; j++)
            c[i * s + j] = c[i * s + j] * 3 % 1009 + j;
}
void both(int steps, int n, int *a, int *b)
{
    for (int t = 0; t < steps; t++) {
        for (int i = 1; i < n - 1; i++)
            b[i] = (a[i - 1] + a[i] + a[i + 1]) % 1013;
        for (int i = 1; i < n - 1; i++)
            a[i] = b[i] + t;
    }
}
void product(int n, int m, int l, const int *a, const int *b, int *c)
{
    for (int i = 0; i < n; i++)
        for (int j = 0; j < m; j++)
            for (int k = 0; k < l; k++)
                c[i * m + j] = (c[i * m + j] + a[i * l + k] * b[k * m + j]) % 1019;
}
int limit;
void bounded(int *p)
{
    for (int i = 0; i < limit; i++)
        p[i] = 5;
}
/* Only read where they overlap: the loop may run in parallel, but they cannot be mapped together. */
void gather(int n, const int *x, const int *y, int *restrict z)
{
    for (int i = 0; i < n; i++)
        z[i] = x[i] - y[i];
}
static void show(const char *name, const int *v, int n)
{
    printf("%s:", name);
    for (int i = 0; i < n; i++)
        printf(" %d", v[i]);
    printf("\n");
}
int main(int argc, char **argv)
{
    int n = atoi(argv[1]), k = atoi(argv[2]), size = 4096;
    int *a = malloc(size * sizeof *a), *b = malloc(size * sizeof *b), *c = malloc(size * sizeof *c);
    for (int i = 0; i < size; i++) {
        a[i] = i * 7 % 1001;
        b[i] = i * 11 % 997;
        c[i] = i * 13 % 991;
        if (c[i] == 17) c[i] += c[i - 1];
    }
    int *middle = a + 1000;
    axpy(n, 3, a, b);
    axpy(n, 3, a, a);
    axpy(n, 3, middle, middle + k);
    show("axpy", a, size);
    shifted(n, (const short *)b, c);
    shifted(n, (const short *)middle, middle + k);
    shifted(n, (const short *)(middle + k), middle);
    show("shifted", a, size);
    distance(n, k, middle);
    show("distance", a, size);
    rows(n / 8, k, 8, middle);
    show("rows", a, size);
    both(4, n, a, b);
    both(4, n, middle, middle + k);
    both(3, n, b, b);
    show("both", a, size);
    show("both", b, size);
    product(n / 4, 5, 6, a, b, c);
    product(n / 4, 5, 6, middle, middle + k, c);
    product(n / 4, 5, 6, middle, b, middle + k);
    product(n / 4, 5, 6, a, b, a);
    show("product", a, size);
    show("product", c, size);
    limit = n;
    bounded(c);
    printf("limit %d\n", limit);
    gather(n, a, b, c);
    gather(n, middle, middle + k, c);
    gather(n, a, a, c);
    show("gather", c, size);
    free(a);
    free(b);
    free(c);
    return 0;
}
