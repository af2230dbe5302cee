/*
 * One time step, from the state 0 of all arrays to the state 0 of the next step.
 */
#include "kernels.h"

/* Pressure and viscosity of the present state, and how far one may step with it. */
static void choose_timestep(struct chunk *c, int step)
{
    update_halo(c, HALO_DENSITY0 | HALO_ENERGY0 | HALO_VELOCITY0);
    ideal_gas(c, c->field.density0, c->field.energy0);
    viscosity(c);
    update_halo(c, HALO_VISCOSITY);

    double dt = COURANT * stable_timestep(c);
    double most = step == 1 ? DT_FIRST : DT_GROWTH * c->dt;
    if (dt > most)
        dt = most;
    if (dt > DT_MOST)
        dt = DT_MOST;
    c->dt = dt;
}

/* The grid moves with the gas.  The pressure that accelerates it is the one half a step ahead. */
static void lagrangian_phase(struct chunk *c)
{
    const double dt = c->dt;

    predict(c, 0.5 * dt);
    update_halo(c, HALO_DENSITY1 | HALO_ENERGY1);
    ideal_gas(c, c->field.density1, c->field.energy1);
    accelerate(c, dt);
    update_halo(c, HALO_VELOCITY1);
    correct(c, dt);
    volume_fluxes(c, dt);
}

static void sweep(struct chunk *c, enum sweep direction, int is_first)
{
    update_halo(c, HALO_DENSITY1 | HALO_ENERGY1);
    advect_cells(c, direction, is_first);
    update_halo(c, HALO_DENSITY1 | HALO_ENERGY1 | HALO_VELOCITY1);
    update_halo(c, direction == SWEEP_X ? HALO_XMASS_FLUX : HALO_YMASS_FLUX);
    advect_momentum(c, direction);
}

/* Back to the grid as it was.  Which direction comes first changes with every step, so that none is preferred. */
static void remap_phase(struct chunk *c, int step)
{
    if (step % 2) {
        sweep(c, SWEEP_X, 1);
        sweep(c, SWEEP_Y, 0);
    } else {
        sweep(c, SWEEP_Y, 1);
        sweep(c, SWEEP_X, 0);
    }
}

void hydro_step(struct chunk *c, int step)
{
    choose_timestep(c, step);
    lagrangian_phase(c);
    remap_phase(c, step);
    reset_field(c);
    c->time += c->dt;
}
