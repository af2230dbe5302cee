/*
 * The remap: mass, energy and momentum through the faces that the Lagrangian
 * phase moved, in one direction at a time, of second order with van Leer's
 * limiter.
 */
#include <math.h>

#include "kernels.h"

/* The harmonic mean of two differences, and zero at an extremum. */
#pragma omp begin declare target
static inline double limited(double upwind, double downwind)
{
    double product = upwind * downwind;
    return product > 0.0 ? 2.0 * product / (upwind + downwind) : 0.0;
}
#pragma omp end declare target

/* Volumes of the cells before and after a sweep in x. */
static void sweep_volumes_x(struct chunk *c, int is_first)
{
    const int w = c->width, h = c->height;
    const int cells = c->cells, xfaces = c->xfaces, yfaces = c->yfaces;
    const double *volume = c->field.volume;
    const double *xflux = c->field.xvolume_flux;
    const double *yflux = c->field.yvolume_flux;
    double *pre = c->field.volume_pre;
    double *post = c->field.volume_post;

    #pragma omp target teams distribute parallel for collapse(2) \
        map(to: volume[0:cells], xflux[0:xfaces], yflux[0:yfaces]) map(from: pre[0:cells], post[0:cells])
    for (int j = 0; j < h; j++) {
        for (int i = 0; i < w; i++) {
            double across = xflux[XFACE(i + 1, j)] - xflux[XFACE(i, j)];
            double upward = yflux[YFACE(i, j + 1)] - yflux[YFACE(i, j)];
            double rest = is_first ? volume[CELL(i, j)] + upward : volume[CELL(i, j)];
            pre[CELL(i, j)] = rest + across;
            post[CELL(i, j)] = rest;
        }
    }
}

static void sweep_volumes_y(struct chunk *c, int is_first)
{
    const int w = c->width, h = c->height;
    const int cells = c->cells, xfaces = c->xfaces, yfaces = c->yfaces;
    const double *volume = c->field.volume;
    const double *xflux = c->field.xvolume_flux;
    const double *yflux = c->field.yvolume_flux;
    double *pre = c->field.volume_pre;
    double *post = c->field.volume_post;

    #pragma omp target teams distribute parallel for collapse(2) \
        map(to: volume[0:cells], xflux[0:xfaces], yflux[0:yfaces]) map(from: pre[0:cells], post[0:cells])
    for (int j = 0; j < h; j++) {
        for (int i = 0; i < w; i++) {
            double across = xflux[XFACE(i + 1, j)] - xflux[XFACE(i, j)];
            double upward = yflux[YFACE(i, j + 1)] - yflux[YFACE(i, j)];
            double rest = is_first ? volume[CELL(i, j)] + across : volume[CELL(i, j)];
            pre[CELL(i, j)] = rest + upward;
            post[CELL(i, j)] = rest;
        }
    }
}

/* Mass and energy through the faces in x. */
static void cell_fluxes_x(struct chunk *c)
{
    const int nx = c->nx, ny = c->ny, w = c->width;
    const int cells = c->cells, xfaces = c->xfaces;
    const double *density = c->field.density1;
    const double *energy = c->field.energy1;
    const double *pre = c->field.volume_pre;
    const double *volume_flux = c->field.xvolume_flux;
    double *mass_flux = c->field.xmass_flux;
    double *energy_flux = c->field.xenergy_flux;

    #pragma omp target teams distribute parallel for collapse(2) \
        map(to: density[0:cells], energy[0:cells], pre[0:cells], volume_flux[0:xfaces]) \
        map(tofrom: mass_flux[0:xfaces], energy_flux[0:xfaces])
    for (int j = GHOST; j < ny + GHOST; j++) {
        for (int i = GHOST; i <= nx + GHOST; i++) {
            double swept = volume_flux[XFACE(i, j)];
            int donor = swept > 0.0 ? CELL(i - 1, j) : CELL(i, j);
            int up = swept > 0.0 ? CELL(i - 2, j) : CELL(i + 1, j);
            int down = swept > 0.0 ? CELL(i, j) : CELL(i - 1, j);

            double part = fabs(swept) / pre[donor];
            double slope = limited(density[donor] - density[up], density[down] - density[donor]);
            double mass = swept * (density[donor] + 0.5 * (1.0 - part) * slope);

            part = fabs(mass) / (density[donor] * pre[donor]);
            slope = limited(energy[donor] - energy[up], energy[down] - energy[donor]);
            mass_flux[XFACE(i, j)] = mass;
            energy_flux[XFACE(i, j)] = mass * (energy[donor] + 0.5 * (1.0 - part) * slope);
        }
    }
}

static void cell_fluxes_y(struct chunk *c)
{
    const int nx = c->nx, ny = c->ny, w = c->width;
    const int cells = c->cells, yfaces = c->yfaces;
    const double *density = c->field.density1;
    const double *energy = c->field.energy1;
    const double *pre = c->field.volume_pre;
    const double *volume_flux = c->field.yvolume_flux;
    double *mass_flux = c->field.ymass_flux;
    double *energy_flux = c->field.yenergy_flux;

    #pragma omp target teams distribute parallel for collapse(2) \
        map(to: density[0:cells], energy[0:cells], pre[0:cells], volume_flux[0:yfaces]) \
        map(tofrom: mass_flux[0:yfaces], energy_flux[0:yfaces])
    for (int j = GHOST; j <= ny + GHOST; j++) {
        for (int i = GHOST; i < nx + GHOST; i++) {
            double swept = volume_flux[YFACE(i, j)];
            int donor = swept > 0.0 ? CELL(i, j - 1) : CELL(i, j);
            int up = swept > 0.0 ? CELL(i, j - 2) : CELL(i, j + 1);
            int down = swept > 0.0 ? CELL(i, j) : CELL(i, j - 1);

            double part = fabs(swept) / pre[donor];
            double slope = limited(density[donor] - density[up], density[down] - density[donor]);
            double mass = swept * (density[donor] + 0.5 * (1.0 - part) * slope);

            part = fabs(mass) / (density[donor] * pre[donor]);
            slope = limited(energy[donor] - energy[up], energy[down] - energy[donor]);
            mass_flux[YFACE(i, j)] = mass;
            energy_flux[YFACE(i, j)] = mass * (energy[donor] + 0.5 * (1.0 - part) * slope);
        }
    }
}

/* What the fluxes leave in the cells. */
static void update_cells_x(struct chunk *c)
{
    const int nx = c->nx, ny = c->ny, w = c->width;
    const int cells = c->cells, xfaces = c->xfaces;
    const double *pre = c->field.volume_pre;
    const double *post = c->field.volume_post;
    const double *mass_flux = c->field.xmass_flux;
    const double *energy_flux = c->field.xenergy_flux;
    double *density = c->field.density1;
    double *energy = c->field.energy1;

    #pragma omp target teams distribute parallel for collapse(2) \
        map(to: pre[0:cells], post[0:cells], mass_flux[0:xfaces], energy_flux[0:xfaces]) \
        map(tofrom: density[0:cells], energy[0:cells])
    for (int j = GHOST; j < ny + GHOST; j++) {
        for (int i = GHOST; i < nx + GHOST; i++) {
            int k = CELL(i, j), left = XFACE(i, j), right = XFACE(i + 1, j);
            double mass_before = density[k] * pre[k];
            double mass_after = mass_before + mass_flux[left] - mass_flux[right];
            double heat = energy[k] * mass_before + energy_flux[left] - energy_flux[right];
            energy[k] = heat / mass_after;
            density[k] = mass_after / post[k];
        }
    }
}

static void update_cells_y(struct chunk *c)
{
    const int nx = c->nx, ny = c->ny, w = c->width;
    const int cells = c->cells, yfaces = c->yfaces;
    const double *pre = c->field.volume_pre;
    const double *post = c->field.volume_post;
    const double *mass_flux = c->field.ymass_flux;
    const double *energy_flux = c->field.yenergy_flux;
    double *density = c->field.density1;
    double *energy = c->field.energy1;

    #pragma omp target teams distribute parallel for collapse(2) \
        map(to: pre[0:cells], post[0:cells], mass_flux[0:yfaces], energy_flux[0:yfaces]) \
        map(tofrom: density[0:cells], energy[0:cells])
    for (int j = GHOST; j < ny + GHOST; j++) {
        for (int i = GHOST; i < nx + GHOST; i++) {
            int k = CELL(i, j), bottom = YFACE(i, j), top = YFACE(i, j + 1);
            double mass_before = density[k] * pre[k];
            double mass_after = mass_before + mass_flux[bottom] - mass_flux[top];
            double heat = energy[k] * mass_before + energy_flux[bottom] - energy_flux[top];
            energy[k] = heat / mass_after;
            density[k] = mass_after / post[k];
        }
    }
}

/* One sweep for density and energy.  The first one of a step has the other direction's growth still before it. */
void advect_cells(struct chunk *c, enum sweep direction, int is_first)
{
    if (direction == SWEEP_X) {
        sweep_volumes_x(c, is_first);
        cell_fluxes_x(c);
        update_cells_x(c);
    } else {
        sweep_volumes_y(c, is_first);
        cell_fluxes_y(c);
        update_cells_y(c);
    }
}

/* Mass between nodes that are neighbours in x, and the masses of the nodes themselves. */
static void node_masses_x(struct chunk *c)
{
    const int nx = c->nx, ny = c->ny, w = c->width;
    const int cells = c->cells, nodes = c->nodes, xfaces = c->xfaces;
    const double *mass_flux = c->field.xmass_flux;
    const double *density = c->field.density1;
    const double *post = c->field.volume_post;
    double *flux = c->field.node_flux;
    double *mass_pre = c->field.node_mass_pre;
    double *mass_post = c->field.node_mass_post;

    #pragma omp target teams distribute parallel for collapse(2) \
        map(to: mass_flux[0:xfaces]) map(tofrom: flux[0:nodes])
    for (int j = GHOST; j <= ny + GHOST; j++) {
        for (int i = 0; i < w; i++) {
            flux[NODE(i, j)] = 0.25 * (mass_flux[XFACE(i, j - 1)] + mass_flux[XFACE(i, j)]
                                     + mass_flux[XFACE(i + 1, j - 1)] + mass_flux[XFACE(i + 1, j)]);
        }
    }

    #pragma omp target teams distribute parallel for collapse(2) \
        map(to: density[0:cells], post[0:cells], flux[0:nodes]) \
        map(tofrom: mass_pre[0:nodes], mass_post[0:nodes])
    for (int j = GHOST; j <= ny + GHOST; j++) {
        for (int i = 1; i < nx + 2 * GHOST; i++) {
            int sw = CELL(i - 1, j - 1), se = CELL(i, j - 1), nw = CELL(i - 1, j), ne = CELL(i, j);
            double mass = 0.25 * (density[sw] * post[sw] + density[se] * post[se]
                                + density[nw] * post[nw] + density[ne] * post[ne]);
            mass_post[NODE(i, j)] = mass;
            mass_pre[NODE(i, j)] = mass - flux[NODE(i - 1, j)] + flux[NODE(i, j)];
        }
    }
}

static void node_masses_y(struct chunk *c)
{
    const int nx = c->nx, ny = c->ny, w = c->width, h = c->height;
    const int cells = c->cells, nodes = c->nodes, yfaces = c->yfaces;
    const double *mass_flux = c->field.ymass_flux;
    const double *density = c->field.density1;
    const double *post = c->field.volume_post;
    double *flux = c->field.node_flux;
    double *mass_pre = c->field.node_mass_pre;
    double *mass_post = c->field.node_mass_post;

    #pragma omp target teams distribute parallel for collapse(2) \
        map(to: mass_flux[0:yfaces]) map(tofrom: flux[0:nodes])
    for (int j = 0; j < h; j++) {
        for (int i = GHOST; i <= nx + GHOST; i++) {
            flux[NODE(i, j)] = 0.25 * (mass_flux[YFACE(i - 1, j)] + mass_flux[YFACE(i, j)]
                                     + mass_flux[YFACE(i - 1, j + 1)] + mass_flux[YFACE(i, j + 1)]);
        }
    }

    #pragma omp target teams distribute parallel for collapse(2) \
        map(to: density[0:cells], post[0:cells], flux[0:nodes]) \
        map(tofrom: mass_pre[0:nodes], mass_post[0:nodes])
    for (int j = 1; j < ny + 2 * GHOST; j++) {
        for (int i = GHOST; i <= nx + GHOST; i++) {
            int sw = CELL(i - 1, j - 1), se = CELL(i, j - 1), nw = CELL(i - 1, j), ne = CELL(i, j);
            double mass = 0.25 * (density[sw] * post[sw] + density[se] * post[se]
                                + density[nw] * post[nw] + density[ne] * post[ne]);
            mass_post[NODE(i, j)] = mass;
            mass_pre[NODE(i, j)] = mass - flux[NODE(i, j - 1)] + flux[NODE(i, j)];
        }
    }
}

/* One component of the velocity, carried along in x. */
static void carry_velocity_x(struct chunk *c, double *velocity)
{
    const int nx = c->nx, ny = c->ny, w = c->width;
    const int nodes = c->nodes;
    const double *flux = c->field.node_flux;
    const double *mass_pre = c->field.node_mass_pre;
    const double *mass_post = c->field.node_mass_post;
    double *momentum = c->field.momentum_flux;

    #pragma omp target teams distribute parallel for collapse(2) \
        map(to: flux[0:nodes], mass_pre[0:nodes], velocity[0:nodes]) map(tofrom: momentum[0:nodes])
    for (int j = GHOST; j <= ny + GHOST; j++) {
        for (int i = 1; i <= nx + GHOST; i++) {
            double mass = flux[NODE(i, j)];
            int donor = mass > 0.0 ? NODE(i, j) : NODE(i + 1, j);
            int up = mass > 0.0 ? NODE(i - 1, j) : NODE(i + 2, j);
            int down = mass > 0.0 ? NODE(i + 1, j) : NODE(i, j);
            double part = fabs(mass) / mass_pre[donor];
            double slope = limited(velocity[donor] - velocity[up], velocity[down] - velocity[donor]);
            momentum[NODE(i, j)] = mass * (velocity[donor] + 0.5 * (1.0 - part) * slope);
        }
    }

    #pragma omp target teams distribute parallel for collapse(2) \
        map(to: momentum[0:nodes], mass_pre[0:nodes], mass_post[0:nodes]) map(tofrom: velocity[0:nodes])
    for (int j = GHOST; j <= ny + GHOST; j++) {
        for (int i = GHOST; i <= nx + GHOST; i++) {
            int n = NODE(i, j);
            velocity[n] = (velocity[n] * mass_pre[n] + momentum[NODE(i - 1, j)] - momentum[n]) / mass_post[n];
        }
    }
}

static void carry_velocity_y(struct chunk *c, double *velocity)
{
    const int nx = c->nx, ny = c->ny, w = c->width;
    const int nodes = c->nodes;
    const double *flux = c->field.node_flux;
    const double *mass_pre = c->field.node_mass_pre;
    const double *mass_post = c->field.node_mass_post;
    double *momentum = c->field.momentum_flux;

    #pragma omp target teams distribute parallel for collapse(2) \
        map(to: flux[0:nodes], mass_pre[0:nodes], velocity[0:nodes]) map(tofrom: momentum[0:nodes])
    for (int j = 1; j <= ny + GHOST; j++) {
        for (int i = GHOST; i <= nx + GHOST; i++) {
            double mass = flux[NODE(i, j)];
            int donor = mass > 0.0 ? NODE(i, j) : NODE(i, j + 1);
            int up = mass > 0.0 ? NODE(i, j - 1) : NODE(i, j + 2);
            int down = mass > 0.0 ? NODE(i, j + 1) : NODE(i, j);
            double part = fabs(mass) / mass_pre[donor];
            double slope = limited(velocity[donor] - velocity[up], velocity[down] - velocity[donor]);
            momentum[NODE(i, j)] = mass * (velocity[donor] + 0.5 * (1.0 - part) * slope);
        }
    }

    #pragma omp target teams distribute parallel for collapse(2) \
        map(to: momentum[0:nodes], mass_pre[0:nodes], mass_post[0:nodes]) map(tofrom: velocity[0:nodes])
    for (int j = GHOST; j <= ny + GHOST; j++) {
        for (int i = GHOST; i <= nx + GHOST; i++) {
            int n = NODE(i, j);
            velocity[n] = (velocity[n] * mass_pre[n] + momentum[NODE(i, j - 1)] - momentum[n]) / mass_post[n];
        }
    }
}

/* One sweep for both components of the velocity, after that for the cells, whose mass fluxes it uses. */
void advect_momentum(struct chunk *c, enum sweep direction)
{
    if (direction == SWEEP_X) {
        node_masses_x(c);
        carry_velocity_x(c, c->field.xvel1);
        carry_velocity_x(c, c->field.yvel1);
    } else {
        node_masses_y(c);
        carry_velocity_y(c, c->field.xvel1);
        carry_velocity_y(c, c->field.yvel1);
    }
}
