/*
 * Steady-state heat on a square plate: Jacobi sweeps between two buffers until
 * the largest change of a sweep falls below a tolerance.
 *
 * Every kernel maps what it uses.  `next` is mapped tofrom, because the sweep
 * leaves the border of the plate alone and the border has to survive.
 */
#include <math.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static uint64_t fnv1a(const double *v, size_t count)
{
    uint64_t h = 1469598103934665603ull;
    for (size_t i = 0; i < count; i++) {
        uint64_t bits;
        memcpy(&bits, &v[i], sizeof bits);
        h = (h ^ bits) * 1099511628211ull;
    }
    return h;
}

static void set_plate(double *u, int n)
{
    for (int i = 0; i < n; i++)
        for (int j = 0; j < n; j++)
            u[i * n + j] = 0.0;
    /* hot north edge, a gradient on the west edge, the rest is cold */
    for (int j = 0; j < n; j++)
        u[j] = 100.0;
    for (int i = 1; i < n; i++)
        u[i * n] = 100.0 * (n - 1 - i) / (n - 1);
}

int main(int argc, char **argv)
{
    const int n = argc > 1 ? atoi(argv[1]) : 64;
    const int max_sweeps = argc > 2 ? atoi(argv[2]) : 200;
    const double tolerance = 0.05;

    if (n < 3 || n > 4096)
        return 2;

    double *u = malloc((size_t)n * n * sizeof *u);
    double *next = malloc((size_t)n * n * sizeof *next);
    if (!u || !next)
        return 1;

    set_plate(u, n);
    set_plate(next, n);

    int sweep = 0;
    double change = 2.0 * tolerance;

    while (change > tolerance && sweep < max_sweeps) {
        change = 0.0;

#pragma omp target teams distribute parallel for collapse(2) \
    map(to: u[0:n*n]) map(tofrom: next[0:n*n])
        for (int i = 1; i < n - 1; i++)
            for (int j = 1; j < n - 1; j++)
                next[i * n + j] = 0.25 * (u[(i - 1) * n + j] + u[(i + 1) * n + j]
                                          + u[i * n + j - 1] + u[i * n + j + 1]);

        /* max is exact, so the order of the threads does not matter */
#pragma omp target teams distribute parallel for collapse(2) reduction(max: change) \
    map(to: u[0:n*n], next[0:n*n]) map(tofrom: change)
        for (int i = 1; i < n - 1; i++)
            for (int j = 1; j < n - 1; j++) {
                double d = fabs(next[i * n + j] - u[i * n + j]);
                if (d > change)
                    change = d;
            }

        double *swap = u;
        u = next;
        next = swap;
        sweep++;

        if (sweep % 50 == 0)
            printf("sweep %4d  change %.17g\n", sweep, change);
    }

    printf("stopped after %d sweeps, change %.17g\n", sweep, change);
    printf("u     %016llx  centre %.17g\n", (unsigned long long)fnv1a(u, (size_t)n * n), u[n / 2 * n + n / 2]);
    printf("next  %016llx  centre %.17g\n", (unsigned long long)fnv1a(next, (size_t)n * n), next[n / 2 * n + n / 2]);

    free(u);
    free(next);
    return 0;
}
