/* the buffers are chosen by the parity of the step, and one does not come back */
#include <stdio.h>
#include <stdlib.h>

enum { N = 64, STEPS = 3 };

int main(void)
{
    double *a = malloc(N * sizeof *a), *b = malloc(N * sizeof *b);
    for (int i = 0; i < N; i++) {
        a[i] = i + 1;
        b[i] = 2 * i + 3;
    }
    #pragma omp target enter data map(to: a[0:N]) map(alloc: b[0:N])
    for (int t = 0; t < STEPS; t++) {
        double *old, *new;
        if (t % 2 == 0) {
            old = a;
            new = b;
        } else {
            old = b;
            new = a;
        }
        #pragma omp target teams distribute parallel for map(to: old[0:N]) map(from: new[0:N])
        for (int i = 0; i < N; i++)
            new[i] = 0.5 * old[i] + i;
    }
    #pragma omp target exit data map(from: a[0:N]) map(release: b[0:N])
    for (int i = 0; i < N; i++)
        printf("%g %g\n", a[i], b[i]);
    free(a);
    free(b);
    return 0;
}
