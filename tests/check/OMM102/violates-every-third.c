/* every third step the array comes back, and is looked at one step later */
#include <stdio.h>
#include <stdlib.h>

enum { N = 64, STEPS = 7 };

int main(int argc, char **argv)
{
    int steps = argc > 1 ? atoi(argv[1]) : STEPS;
    double *a = malloc(N * sizeof *a), *b = malloc(N * sizeof *b);
    for (int i = 0; i < N; i++) {
        a[i] = i + 1;
        b[i] = 2 * i + 3;
    }
    #pragma omp target enter data map(to: a[0:N])
    for (int t = 0; t < steps; t++) {
        #pragma omp target teams distribute parallel for map(tofrom: a[0:N])
        for (int i = 0; i < N; i++)
            a[i] = 0.5 * a[i] + t;
        if (t % 3 == 0) {
            #pragma omp target update from(a[0:N])
        }
        if (t % 3 == 1)
            printf("%g\n", a[3]);
    }
    #pragma omp target exit data map(from: a[0:N])
    for (int i = 0; i < N; i++)
        printf("%g %g\n", a[i], b[i]);
    free(a);
    free(b);
    return 0;
}
