/* Subscripts that are read, and kept within what is mapped by a type, by an operator, or by what is asked. */
#include <stdio.h>
#include <stdlib.h>
int main(int argc, char **argv)
{
    int n = 100, m = argc + 10;
    unsigned *key = malloc(n * sizeof *key);
    int *bucket = calloc(2 * m, sizeof *bucket);
    int table[1024];
    unsigned char *byte = calloc(n, 1);
    int *v = calloc(n, sizeof *v);
    for (int i = 0; i < n; i++) { key[i] = i * 77; byte[i] = i & 255; }
    for (int i = 0; i < 1024; i++) table[i] = i * i;
    #pragma omp target map(to: key[0:n]) map(tofrom: bucket[0:m])
    for (int i = 0; i < n; i++)
        bucket[key[i] % m] += 1;
    #pragma omp target teams distribute parallel for map(to: byte[0:n], table[0:256]) map(tofrom: v[0:n])
    for (int i = 0; i < n; i++)
        v[i] += table[byte[i]];
    #pragma omp target teams distribute parallel for map(to: key[0:n], table[0:512]) map(tofrom: v[0:n])
    for (int i = 0; i < n; i++)
        v[i] += table[key[i] & 511];
    #pragma omp target teams distribute parallel for map(to: key[0:n], table[0:512]) map(tofrom: v[0:n])
    for (int i = 0; i < n; i++)
        v[i] += table[key[i] > 511 ? 511 : key[i]];
    #pragma omp target teams distribute parallel for map(to: key[0:n], table[0:512]) map(tofrom: v[0:n])
    for (int i = 0; i < n; i++)
        if (key[i] < 512)
            v[i] += table[key[i]];
    #pragma omp target teams distribute parallel for map(to: key[0:n], table[0:512]) map(tofrom: v[0:n])
    for (int i = 0; i < n; i++) {
        unsigned k = key[i];
        if (k >= 512)
            k = 0;
        v[i] += table[k];
    }
    for (int i = 0; i < n; i++)
        printf("%d\n", v[i]);
    for (int i = 0; i < m; i++)
        printf("%d\n", bucket[i]);
    return 0;
}
