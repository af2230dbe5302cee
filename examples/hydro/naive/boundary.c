/*
 * Walls.  What is behind them mirrors what is before them, so that the kernels
 * for cells at a wall need not know of it.  The velocity across a wall is zero
 * there and changes its sign behind it; so do fluxes.
 */
#include "kernels.h"

/* A quantity at cell centres. */
static void mirror_cells(const struct chunk *c, double *v)
{
    const int nx = c->nx, ny = c->ny, w = c->width, cells = c->cells;

    #pragma omp target teams distribute parallel for map(tofrom: v[0:cells])
    for (int j = GHOST; j < ny + GHOST; j++) {
        for (int g = 0; g < GHOST; g++) {
            v[CELL(GHOST - 1 - g, j)] = v[CELL(GHOST + g, j)];
            v[CELL(nx + GHOST + g, j)] = v[CELL(nx + GHOST - 1 - g, j)];
        }
    }

    #pragma omp target teams distribute parallel for map(tofrom: v[0:cells])
    for (int i = 0; i < w; i++) {
        for (int g = 0; g < GHOST; g++) {
            v[CELL(i, GHOST - 1 - g)] = v[CELL(i, GHOST + g)];
            v[CELL(i, ny + GHOST + g)] = v[CELL(i, ny + GHOST - 1 - g)];
        }
    }
}

/* A velocity at the nodes: across the walls in x, or (otherwise) across those in y. */
static void mirror_nodes(const struct chunk *c, double *v, int is_across_x)
{
    const int nx = c->nx, ny = c->ny, w = c->width, nodes = c->nodes;
    const double xsign = is_across_x ? -1.0 : 1.0, ysign = is_across_x ? 1.0 : -1.0;

    #pragma omp target teams distribute parallel for map(tofrom: v[0:nodes])
    for (int j = GHOST; j <= ny + GHOST; j++) {
        if (is_across_x) {
            v[NODE(GHOST, j)] = 0.0;
            v[NODE(nx + GHOST, j)] = 0.0;
        }
        for (int g = 1; g <= GHOST; g++) {
            v[NODE(GHOST - g, j)] = xsign * v[NODE(GHOST + g, j)];
            v[NODE(nx + GHOST + g, j)] = xsign * v[NODE(nx + GHOST - g, j)];
        }
    }

    #pragma omp target teams distribute parallel for map(tofrom: v[0:nodes])
    for (int i = 0; i <= w; i++) {
        if (!is_across_x) {
            v[NODE(i, GHOST)] = 0.0;
            v[NODE(i, ny + GHOST)] = 0.0;
        }
        for (int g = 1; g <= GHOST; g++) {
            v[NODE(i, GHOST - g)] = ysign * v[NODE(i, GHOST + g)];
            v[NODE(i, ny + GHOST + g)] = ysign * v[NODE(i, ny + GHOST - g)];
        }
    }
}

/* A flux through the faces in x. */
static void mirror_xfaces(const struct chunk *c, double *v)
{
    const int nx = c->nx, ny = c->ny, w = c->width, xfaces = c->xfaces;

    #pragma omp target teams distribute parallel for map(tofrom: v[0:xfaces])
    for (int j = GHOST; j < ny + GHOST; j++) {
        for (int g = 1; g <= GHOST; g++) {
            v[XFACE(GHOST - g, j)] = -v[XFACE(GHOST + g, j)];
            v[XFACE(nx + GHOST + g, j)] = -v[XFACE(nx + GHOST - g, j)];
        }
    }

    #pragma omp target teams distribute parallel for map(tofrom: v[0:xfaces])
    for (int i = 0; i <= w; i++) {
        for (int g = 0; g < GHOST; g++) {
            v[XFACE(i, GHOST - 1 - g)] = v[XFACE(i, GHOST + g)];
            v[XFACE(i, ny + GHOST + g)] = v[XFACE(i, ny + GHOST - 1 - g)];
        }
    }
}

/* A flux through the faces in y. */
static void mirror_yfaces(const struct chunk *c, double *v)
{
    const int nx = c->nx, ny = c->ny, w = c->width, yfaces = c->yfaces;

    #pragma omp target teams distribute parallel for map(tofrom: v[0:yfaces])
    for (int j = GHOST; j <= ny + GHOST; j++) {
        for (int g = 0; g < GHOST; g++) {
            v[YFACE(GHOST - 1 - g, j)] = v[YFACE(GHOST + g, j)];
            v[YFACE(nx + GHOST + g, j)] = v[YFACE(nx + GHOST - 1 - g, j)];
        }
    }

    #pragma omp target teams distribute parallel for map(tofrom: v[0:yfaces])
    for (int i = 0; i < w; i++) {
        for (int g = 1; g <= GHOST; g++) {
            v[YFACE(i, GHOST - g)] = -v[YFACE(i, GHOST + g)];
            v[YFACE(i, ny + GHOST + g)] = -v[YFACE(i, ny + GHOST - g)];
        }
    }
}

/* The ghosts of all arrays that are named. */
void update_halo(struct chunk *c, unsigned arrays)
{
    struct field *f = &c->field;

    if (arrays & HALO_DENSITY0)
        mirror_cells(c, f->density0);
    if (arrays & HALO_DENSITY1)
        mirror_cells(c, f->density1);
    if (arrays & HALO_ENERGY0)
        mirror_cells(c, f->energy0);
    if (arrays & HALO_ENERGY1)
        mirror_cells(c, f->energy1);
    if (arrays & HALO_VISCOSITY)
        mirror_cells(c, f->viscosity);
    if (arrays & HALO_VELOCITY0) {
        mirror_nodes(c, f->xvel0, 1);
        mirror_nodes(c, f->yvel0, 0);
    }
    if (arrays & HALO_VELOCITY1) {
        mirror_nodes(c, f->xvel1, 1);
        mirror_nodes(c, f->yvel1, 0);
    }
    if (arrays & HALO_XMASS_FLUX)
        mirror_xfaces(c, f->xmass_flux);
    if (arrays & HALO_YMASS_FLUX)
        mirror_yfaces(c, f->ymass_flux);
}
