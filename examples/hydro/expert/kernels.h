/*
 * What a time step is made of.
 */
#ifndef KERNELS_H
#define KERNELS_H

#include "field.h"

#define GAMMA 1.4       /* ratio of specific heats */
#define DT_FIRST 0.002
#define DT_MOST 0.02
#define DT_GROWTH 1.25  /* from one step to the next, at most */
#define COURANT 0.4

/* grid.c */
int grid_create(struct chunk *c, int nx, int ny);
void grid_initialise(struct chunk *c);
void grid_destroy(struct chunk *c);

/* eos.c */
void ideal_gas(struct chunk *c, const double *density, const double *energy);
void viscosity(struct chunk *c);
double stable_timestep(struct chunk *c);

/* lagrange.c */
void predict(struct chunk *c, double dt);
void accelerate(struct chunk *c, double dt);
void correct(struct chunk *c, double dt);
void volume_fluxes(struct chunk *c, double dt);
void reset_field(struct chunk *c);

/* advect.c */
enum sweep { SWEEP_X, SWEEP_Y };

void advect_cells(struct chunk *c, enum sweep direction, int is_first);
void advect_momentum(struct chunk *c, enum sweep direction);

/* boundary.c */
enum {
    HALO_DENSITY0 = 1 << 0,
    HALO_DENSITY1 = 1 << 1,
    HALO_ENERGY0 = 1 << 2,
    HALO_ENERGY1 = 1 << 3,
    HALO_VISCOSITY = 1 << 4,
    HALO_VELOCITY0 = 1 << 5,
    HALO_VELOCITY1 = 1 << 6,
    HALO_XMASS_FLUX = 1 << 7,
    HALO_YMASS_FLUX = 1 << 8
};

void update_halo(struct chunk *c, unsigned arrays);

/* hydro.c */
void hydro_step(struct chunk *c, int step);

/* summary.c */
void field_summary(struct chunk *c, int step);
void probe(const struct chunk *c, int step);
void print_fields(const struct chunk *c);

#endif
