/* What the kernel would use in an iteration the array has not got: there is none. */
#include <stdio.h>
#include <stdlib.h>

int main(int argc, char **argv)
{
    (void)argv;
    int n = 33, less = argc - 1;
    long *a = calloc(19, sizeof *a);
    int *at = malloc(n * sizeof *at);
    for (int i = 0; i < n; i++)
        at[i] = i * 7 % 33;
    #pragma omp target teams distribute parallel for map(to: at[0:n]) map(tofrom: a[0:19])
    for (int i = 0; i < 0 - less; i++)
        a[i] += at[i - 1];
    printf("%ld\n", a[3]);
    free(a);
    free(at);
    return 0;
}
