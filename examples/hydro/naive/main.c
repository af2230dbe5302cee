/*
 * Compressible flow in two dimensions: a hot slab beside a dense drop of gas, in a
 * box.  The Euler equations are solved on a staggered grid; each step moves the
 * grid with the gas (lagrange.c) and then maps everything back to where the grid
 * was, in two sweeps of second order (advect.c).
 *
 *     hydro [NX NY [STEPS]]
 */
#include <stdio.h>
#include <stdlib.h>

#include "kernels.h"

#define SUMMARY_EVERY 10
#define PROBE_EVERY 4

struct control {
    int nx, ny;
    int steps;
};

static int read_control(struct control *control, int argc, char **argv)
{
    control->nx = 40;
    control->ny = 36;
    control->steps = 20;
    if (argc > 2) {
        control->nx = atoi(argv[1]);
        control->ny = atoi(argv[2]);
    }
    if (argc > 3)
        control->steps = atoi(argv[3]);
    if (control->nx < 2 * GHOST || control->ny < 2 * GHOST || control->steps < 0) {
        fprintf(stderr, "usage: hydro [NX NY [STEPS]], with at least %d cells each way\n", 2 * GHOST);
        return 0;
    }
    return 1;
}

static void time_loop(struct chunk *c, const struct control *control)
{
    field_summary(c, 0);
    for (int step = 1; step <= control->steps; step++) {
        hydro_step(c, step);
        if (step % PROBE_EVERY == 0)
            probe(c, step);
        if (step % SUMMARY_EVERY == 0)
            field_summary(c, step);
    }
}

int main(int argc, char **argv)
{
    struct control control;
    struct chunk chunk;

    if (!read_control(&control, argc, argv))
        return 2;
    if (!grid_create(&chunk, control.nx, control.ny)) {
        fprintf(stderr, "hydro: out of memory\n");
        return 1;
    }
    grid_initialise(&chunk);
    time_loop(&chunk, &control);

    print_fields(&chunk);
    grid_destroy(&chunk);
    return 0;
}
