/*
 * The Lagrangian phase: cells are pushed about and squeezed, and keep their mass.
 */
#include "kernels.h"

/*
 * Density and energy after a time dt, if the nodes go on with the velocities that
 * they have.
 */
void predict(struct chunk *c, double dt)
{
    const int nx = c->nx, ny = c->ny, w = c->width;
    const int cells = c->cells, nodes = c->nodes, xfaces = c->xfaces, yfaces = c->yfaces;
    const double *density0 = c->field.density0;
    const double *energy0 = c->field.energy0;
    const double *pressure = c->field.pressure;
    const double *q = c->field.viscosity;
    const double *volume = c->field.volume;
    const double *xarea = c->field.xarea;
    const double *yarea = c->field.yarea;
    const double *xvel0 = c->field.xvel0;
    const double *yvel0 = c->field.yvel0;
    double *density1 = c->field.density1;
    double *energy1 = c->field.energy1;

    #pragma omp target teams distribute parallel for collapse(2) \
        map(to: density0[0:cells], energy0[0:cells], pressure[0:cells], q[0:cells], volume[0:cells]) \
        map(to: xarea[0:xfaces], yarea[0:yfaces], xvel0[0:nodes], yvel0[0:nodes]) \
        map(tofrom: density1[0:cells], energy1[0:cells])
    for (int j = GHOST; j < ny + GHOST; j++) {
        for (int i = GHOST; i < nx + GHOST; i++) {
            int k = CELL(i, j);
            double left = xarea[XFACE(i, j)] * 0.5 * dt * (xvel0[NODE(i, j)] + xvel0[NODE(i, j + 1)]);
            double right = xarea[XFACE(i + 1, j)] * 0.5 * dt
                         * (xvel0[NODE(i + 1, j)] + xvel0[NODE(i + 1, j + 1)]);
            double bottom = yarea[YFACE(i, j)] * 0.5 * dt * (yvel0[NODE(i, j)] + yvel0[NODE(i + 1, j)]);
            double top = yarea[YFACE(i, j + 1)] * 0.5 * dt
                       * (yvel0[NODE(i, j + 1)] + yvel0[NODE(i + 1, j + 1)]);
            double growth = right - left + top - bottom;
            double mass = density0[k] * volume[k];

            density1[k] = mass / (volume[k] + growth);
            energy1[k] = energy0[k] - (pressure[k] + q[k]) * growth / mass;
        }
    }
}

/* New velocities from the forces on the nodes. */
void accelerate(struct chunk *c, double dt)
{
    const int nx = c->nx, ny = c->ny, w = c->width;
    const int cells = c->cells, nodes = c->nodes, xfaces = c->xfaces, yfaces = c->yfaces;
    const double *density = c->field.density0;
    const double *volume = c->field.volume;
    const double *pressure = c->field.pressure;
    const double *q = c->field.viscosity;
    const double *xarea = c->field.xarea;
    const double *yarea = c->field.yarea;
    const double *xvel0 = c->field.xvel0;
    const double *yvel0 = c->field.yvel0;
    double *xvel1 = c->field.xvel1;
    double *yvel1 = c->field.yvel1;

    #pragma omp target teams distribute parallel for collapse(2) \
        map(to: density[0:cells], volume[0:cells], pressure[0:cells], q[0:cells]) \
        map(to: xarea[0:xfaces], yarea[0:yfaces], xvel0[0:nodes], yvel0[0:nodes]) \
        map(tofrom: xvel1[0:nodes], yvel1[0:nodes])
    for (int j = GHOST; j <= ny + GHOST; j++) {
        for (int i = GHOST; i <= nx + GHOST; i++) {
            int sw = CELL(i - 1, j - 1), se = CELL(i, j - 1), nw = CELL(i - 1, j), ne = CELL(i, j);
            double mass = 0.25 * (density[sw] * volume[sw] + density[se] * volume[se]
                                + density[nw] * volume[nw] + density[ne] * volume[ne]);
            double stress_sw = pressure[sw] + q[sw], stress_se = pressure[se] + q[se];
            double stress_nw = pressure[nw] + q[nw], stress_ne = pressure[ne] + q[ne];
            double xforce = 0.5 * xarea[XFACE(i, j)] * (stress_nw - stress_ne)
                          + 0.5 * xarea[XFACE(i, j - 1)] * (stress_sw - stress_se);
            double yforce = 0.5 * yarea[YFACE(i, j)] * (stress_se - stress_ne)
                          + 0.5 * yarea[YFACE(i - 1, j)] * (stress_sw - stress_nw);

            xvel1[NODE(i, j)] = xvel0[NODE(i, j)] + dt * xforce / mass;
            yvel1[NODE(i, j)] = yvel0[NODE(i, j)] + dt * yforce / mass;
        }
    }
}

/* Density and energy after the whole step, with the mean of old and new velocities. */
void correct(struct chunk *c, double dt)
{
    const int nx = c->nx, ny = c->ny, w = c->width;
    const int cells = c->cells, nodes = c->nodes, xfaces = c->xfaces, yfaces = c->yfaces;
    const double *density0 = c->field.density0;
    const double *energy0 = c->field.energy0;
    const double *pressure = c->field.pressure;
    const double *q = c->field.viscosity;
    const double *volume = c->field.volume;
    const double *xarea = c->field.xarea;
    const double *yarea = c->field.yarea;
    const double *xvel0 = c->field.xvel0;
    const double *xvel1 = c->field.xvel1;
    const double *yvel0 = c->field.yvel0;
    const double *yvel1 = c->field.yvel1;
    double *density1 = c->field.density1;
    double *energy1 = c->field.energy1;

    #pragma omp target teams distribute parallel for collapse(2) \
        map(to: density0[0:cells], energy0[0:cells], pressure[0:cells], q[0:cells], volume[0:cells]) \
        map(to: xarea[0:xfaces], yarea[0:yfaces], xvel0[0:nodes], xvel1[0:nodes], yvel0[0:nodes], yvel1[0:nodes]) \
        map(tofrom: density1[0:cells], energy1[0:cells])
    for (int j = GHOST; j < ny + GHOST; j++) {
        for (int i = GHOST; i < nx + GHOST; i++) {
            int k = CELL(i, j);
            double left = xarea[XFACE(i, j)] * 0.25 * dt
                        * (xvel0[NODE(i, j)] + xvel0[NODE(i, j + 1)] + xvel1[NODE(i, j)] + xvel1[NODE(i, j + 1)]);
            double right = xarea[XFACE(i + 1, j)] * 0.25 * dt
                         * (xvel0[NODE(i + 1, j)] + xvel0[NODE(i + 1, j + 1)]
                          + xvel1[NODE(i + 1, j)] + xvel1[NODE(i + 1, j + 1)]);
            double bottom = yarea[YFACE(i, j)] * 0.25 * dt
                          * (yvel0[NODE(i, j)] + yvel0[NODE(i + 1, j)] + yvel1[NODE(i, j)] + yvel1[NODE(i + 1, j)]);
            double top = yarea[YFACE(i, j + 1)] * 0.25 * dt
                       * (yvel0[NODE(i, j + 1)] + yvel0[NODE(i + 1, j + 1)]
                        + yvel1[NODE(i, j + 1)] + yvel1[NODE(i + 1, j + 1)]);
            double growth = right - left + top - bottom;
            double mass = density0[k] * volume[k];

            density1[k] = mass / (volume[k] + growth);
            energy1[k] = energy0[k] - (pressure[k] + q[k]) * growth / mass;
        }
    }
}

/* The volumes that the faces sweep over on their way: what the remap has to bring back. */
void volume_fluxes(struct chunk *c, double dt)
{
    const int w = c->width, h = c->height;
    const int nodes = c->nodes, xfaces = c->xfaces, yfaces = c->yfaces;
    const double *xarea = c->field.xarea;
    const double *yarea = c->field.yarea;
    const double *xvel0 = c->field.xvel0;
    const double *xvel1 = c->field.xvel1;
    const double *yvel0 = c->field.yvel0;
    const double *yvel1 = c->field.yvel1;
    double *xflux = c->field.xvolume_flux;
    double *yflux = c->field.yvolume_flux;

    #pragma omp target teams distribute parallel for collapse(2) \
        map(to: xarea[0:xfaces], xvel0[0:nodes], xvel1[0:nodes]) map(from: xflux[0:xfaces])
    for (int j = 0; j < h; j++) {
        for (int i = 0; i <= w; i++) {
            xflux[XFACE(i, j)] = xarea[XFACE(i, j)] * 0.25 * dt
                               * (xvel0[NODE(i, j)] + xvel0[NODE(i, j + 1)] + xvel1[NODE(i, j)] + xvel1[NODE(i, j + 1)]);
        }
    }

    #pragma omp target teams distribute parallel for collapse(2) \
        map(to: yarea[0:yfaces], yvel0[0:nodes], yvel1[0:nodes]) map(from: yflux[0:yfaces])
    for (int j = 0; j <= h; j++) {
        for (int i = 0; i < w; i++) {
            yflux[YFACE(i, j)] = yarea[YFACE(i, j)] * 0.25 * dt
                               * (yvel0[NODE(i, j)] + yvel0[NODE(i + 1, j)] + yvel1[NODE(i, j)] + yvel1[NODE(i + 1, j)]);
        }
    }
}

/* The end of this step is the start of the next. */
void reset_field(struct chunk *c)
{
    const int cells = c->cells, nodes = c->nodes;
    const double *density1 = c->field.density1;
    const double *energy1 = c->field.energy1;
    const double *xvel1 = c->field.xvel1;
    const double *yvel1 = c->field.yvel1;
    double *density0 = c->field.density0;
    double *energy0 = c->field.energy0;
    double *xvel0 = c->field.xvel0;
    double *yvel0 = c->field.yvel0;

    #pragma omp target teams distribute parallel for \
        map(to: density1[0:cells], energy1[0:cells]) map(from: density0[0:cells], energy0[0:cells])
    for (int k = 0; k < cells; k++) {
        density0[k] = density1[k];
        energy0[k] = energy1[k];
    }

    #pragma omp target teams distribute parallel for \
        map(to: xvel1[0:nodes], yvel1[0:nodes]) map(from: xvel0[0:nodes], yvel0[0:nodes])
    for (int n = 0; n < nodes; n++) {
        xvel0[n] = xvel1[n];
        yvel0[n] = yvel1[n];
    }
}
