/*
 * What follows from the state of the gas alone: pressure, viscosity, time step.
 */
#include <math.h>

#include "kernels.h"

#define LINEAR_VISCOSITY 0.5
#define QUADRATIC_VISCOSITY 1.5
#define FOREVER 1e30

/* Pressure and speed of sound, in all cells. */
void ideal_gas(struct chunk *c, const double *density, const double *energy)
{
    const int cells = c->cells;
    double *pressure = c->field.pressure;
    double *soundspeed = c->field.soundspeed;

    #pragma omp target teams distribute parallel for \
        map(to: density[0:cells], energy[0:cells]) map(from: pressure[0:cells], soundspeed[0:cells])
    for (int k = 0; k < cells; k++) {
        double p = (GAMMA - 1.0) * density[k] * energy[k];
        pressure[k] = p;
        soundspeed[k] = sqrt(GAMMA * p / density[k]);
    }
}

/* Artificial viscosity where the gas is compressed: it spreads shocks over a few cells. */
void viscosity(struct chunk *c)
{
    const int nx = c->nx, ny = c->ny, w = c->width;
    const int cells = c->cells, nodes = c->nodes;
    const double dx = c->dx, dy = c->dy;
    const double *density = c->field.density0;
    const double *soundspeed = c->field.soundspeed;
    const double *xvel = c->field.xvel0;
    const double *yvel = c->field.yvel0;
    double *q = c->field.viscosity;

    #pragma omp target teams distribute parallel for collapse(2) \
        map(to: density[0:cells], soundspeed[0:cells], xvel[0:nodes], yvel[0:nodes]) map(tofrom: q[0:cells])
    for (int j = GHOST; j < ny + GHOST; j++) {
        for (int i = GHOST; i < nx + GHOST; i++) {
            double right = xvel[NODE(i + 1, j)] + xvel[NODE(i + 1, j + 1)];
            double left = xvel[NODE(i, j)] + xvel[NODE(i, j + 1)];
            double top = yvel[NODE(i, j + 1)] + yvel[NODE(i + 1, j + 1)];
            double bottom = yvel[NODE(i, j)] + yvel[NODE(i + 1, j)];
            double divergence = 0.5 * (right - left) / dx + 0.5 * (top - bottom) / dy;
            double value = 0.0;

            if (divergence < 0.0) {
                double length = dx < dy ? dx : dy;
                double jump = -divergence * length;
                value = density[CELL(i, j)] * jump
                      * (QUADRATIC_VISCOSITY * jump + LINEAR_VISCOSITY * soundspeed[CELL(i, j)]);
            }
            q[CELL(i, j)] = value;
        }
    }
}

/* The longest time in which neither sound nor gas crosses a cell. */
double stable_timestep(struct chunk *c)
{
    const int nx = c->nx, ny = c->ny, w = c->width;
    const int cells = c->cells, nodes = c->nodes;
    const double dx = c->dx, dy = c->dy;
    const double *density = c->field.density0;
    const double *soundspeed = c->field.soundspeed;
    const double *q = c->field.viscosity;
    const double *xvel = c->field.xvel0;
    const double *yvel = c->field.yvel0;
    double shortest = FOREVER;

    #pragma omp target teams distribute parallel for collapse(2) reduction(min: shortest) \
        map(to: density[0:cells], soundspeed[0:cells], q[0:cells], xvel[0:nodes], yvel[0:nodes])
    for (int j = GHOST; j < ny + GHOST; j++) {
        for (int i = GHOST; i < nx + GHOST; i++) {
            double cs = soundspeed[CELL(i, j)];
            double signal = sqrt(cs * cs + 2.0 * q[CELL(i, j)] / density[CELL(i, j)]);
            double u = 0.0, v = 0.0;

            for (int corner = 0; corner < 4; corner++) {
                int n = NODE(i + corner % 2, j + corner / 2);
                if (fabs(xvel[n]) > u)
                    u = fabs(xvel[n]);
                if (fabs(yvel[n]) > v)
                    v = fabs(yvel[n]);
            }
            double across = dx / (signal + u);
            double upward = dy / (signal + v);
            if (across < shortest)
                shortest = across;
            if (upward < shortest)
                shortest = upward;
        }
    }
    return shortest;
}
