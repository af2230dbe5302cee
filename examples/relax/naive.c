/* Cells relax towards a profile. The host sets one cell, and reads another every hundredth step. */
#include <stdio.h>
#include <stdlib.h>

int main(int argc, char **argv)
{
    int n = argc > 1 ? atoi(argv[1]) : 1000, steps = 300;
    if (n < 1) return 1;
    double *x = calloc(n, sizeof *x), *goal = malloc(n * sizeof *goal);
    if (!x || !goal) return 1;
    for (int i = 0; i < n; i++) goal[i] = i % 7;

    for (int t = 0; t < steps; t++) {
        x[0] = 0.5 * (t % 16);
        #pragma omp target teams distribute parallel for map(to: goal[0:n]) map(tofrom: x[0:n])
        for (int i = 0; i < n; i++) x[i] += 0.125 * (goal[i] - x[i]);
        if (t % 100 == 0) printf("step %d: %.17g\n", t, x[n / 2]);
    }

    for (int i = 0; i < n; i++) printf("%.17g\n", x[i]);
    free(x);
    free(goal);
    return 0;
}
