/*
 * A vibrating rod that is driven at its left end: each step the host sets the
 * one boundary value x[0], the device does the rest.  A gauge near that
 * end is read now and then.
 *
 * Hand-optimised movement.  Resident during all steps: the three time levels.
 * They go up once and come down once.  Per step the host writes one element, so
 * one element goes up; in the steps that read the gauge, one element comes down.
 * The globals change places in every step, which is why the region is opened by
 * name before the loop and closed by name after it: the same three addresses, in
 * another order.
 *
 * (This file has CRLF line endings on purpose.)
 */
#include <stdio.h>
#include <stdlib.h>

static int    Cells;
static int    Steps;
static double *Old, *Cur, *New;

static double drive(int step)
{
    /* a triangle wave: exact in binary floating point */
    int phase = step % 32;
    return (phase < 16 ? phase : 32 - phase) / 16.0;
}

static void allocate(int cells)
{
    Old = malloc(cells * sizeof(double));
    Cur = malloc(cells * sizeof(double));
    New = malloc(cells * sizeof(double));
    if (!Old || !Cur || !New) {
        fprintf(stderr, "out of memory\n");
        exit(1);
    }
    for (int i = 0; i < cells; i++)
        Old[i] = Cur[i] = New[i] = 0.0;
}

static void show(const char *name, const double *x, int cells)
{
    unsigned long long h = 14695981039346656037ULL;
    const unsigned char *byte = (const unsigned char *)x;
    for (size_t i = 0; i < cells * sizeof(double); i++) {
        h ^= byte[i];
        h *= 1099511628211ULL;
    }
    printf("%s  %016llx", name, h);
    for (int i = 0; i < cells; i += cells / 4)
        printf("  %.17g", x[i]);
    printf("\n");
}

int main(int argc, char *argv[])
{
    int step;

    Cells = argc > 1 ? atoi(argv[1]) : 1000;
    Steps = argc > 2 ? atoi(argv[2]) : 150;
    if (Cells < 4 || Steps < 0)
        return 2;
    allocate(Cells);

    #pragma omp target enter data map(to: Old[0:Cells], Cur[0:Cells], New[0:Cells])
    for (step = 0; step < Steps; step++) {
        double *spare;
        int n = Cells;
        double *old = Old, *cur = Cur, *new = New;

        cur[0] = drive(step);
        #pragma omp target update to(cur[0:1])

        #pragma omp target teams distribute parallel for
        for (int i = 1; i < n - 1; i++)
            new[i] = 2.0 * cur[i] - old[i] + 0.25 * (cur[i - 1] - 2.0 * cur[i] + cur[i + 1]);

        if (step % 25 == 0) {
            #pragma omp target update from(new[n / 20:1])
            printf("step %4d  gauge %.17g\n", step, new[n / 20]);
        }

        spare = Old;
        Old = Cur;
        Cur = New;
        New = spare;
    }

    #pragma omp target exit data map(from: Old[0:Cells], Cur[0:Cells], New[0:Cells])

    show("old", Old, Cells);
    show("cur", Cur, Cells);
    show("new", New, Cells);
    free(Old);
    free(Cur);
    free(New);
    return 0;
}
