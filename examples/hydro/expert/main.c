/*
 * Compressible flow in two dimensions: a hot slab beside a dense drop of gas, in a
 * box.  The Euler equations are solved on a staggered grid; each step moves the
 * grid with the gas (lagrange.c) and then maps everything back to where the grid
 * was, in two sweeps of second order (advect.c).
 *
 *     hydro [NX NY [STEPS]]
 *
 * Hand-optimised movement.  Everything but the sums of rows is resident from the
 * first summary to the end of the time loop.
 * All arrays go up once, since no kernel writes the whole of most of them in a run
 * of no steps, and come back once for printing; what is constant does not come
 * back.  In between only what the host reads moves: two elements for the gauge, the
 * sums of rows by the map of their own kernel, and the minimum for the time step.
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
    const int cells = c->cells, nodes = c->nodes, xfaces = c->xfaces, yfaces = c->yfaces;

    #pragma omp target data \
        map(tofrom: c->field.density0[0:cells], c->field.density1[0:cells], c->field.energy0[0:cells], c->field.energy1[0:cells]) \
        map(tofrom: c->field.pressure[0:cells], c->field.viscosity[0:cells], c->field.soundspeed[0:cells]) \
        map(tofrom: c->field.volume_pre[0:cells], c->field.volume_post[0:cells]) \
        map(tofrom: c->field.xvel0[0:nodes], c->field.xvel1[0:nodes], c->field.yvel0[0:nodes], c->field.yvel1[0:nodes]) \
        map(tofrom: c->field.node_flux[0:nodes], c->field.node_mass_pre[0:nodes], c->field.node_mass_post[0:nodes]) \
        map(tofrom: c->field.momentum_flux[0:nodes]) \
        map(tofrom: c->field.xvolume_flux[0:xfaces], c->field.xmass_flux[0:xfaces], c->field.xenergy_flux[0:xfaces]) \
        map(tofrom: c->field.yvolume_flux[0:yfaces], c->field.ymass_flux[0:yfaces], c->field.yenergy_flux[0:yfaces]) \
        map(to: c->field.volume[0:cells], c->field.xarea[0:xfaces], c->field.yarea[0:yfaces])
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
