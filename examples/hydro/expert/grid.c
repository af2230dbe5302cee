/*
 * The chunk: its arrays and their state at the beginning.
 */
#include <stdlib.h>

#include "kernels.h"

#define AMBIENT_DENSITY 1.0
#define AMBIENT_ENERGY 1.0
#define SLAB_ENERGY 8.0     /* of the hot slab at the left */
#define SLAB_WIDTH 0.3
#define DROP_DENSITY 5.0
#define DROP_RADIUS 0.15
#define DROP_X 0.5
#define DROP_Y 0.4

static double *array(int elements)
{
    double *v = malloc((size_t)elements * sizeof *v);
    if (v) {
        for (int k = 0; k < elements; k++)
            v[k] = 0.0;
    }
    return v;
}

static int create_cells(struct field *f, int cells)
{
    f->density0 = array(cells);
    f->density1 = array(cells);
    f->energy0 = array(cells);
    f->energy1 = array(cells);
    f->pressure = array(cells);
    f->viscosity = array(cells);
    f->soundspeed = array(cells);
    f->volume = array(cells);
    f->volume_pre = array(cells);
    f->volume_post = array(cells);
    return f->density0 && f->density1 && f->energy0 && f->energy1 && f->pressure && f->viscosity
        && f->soundspeed && f->volume && f->volume_pre && f->volume_post;
}

static int create_nodes(struct field *f, int nodes)
{
    f->xvel0 = array(nodes);
    f->xvel1 = array(nodes);
    f->yvel0 = array(nodes);
    f->yvel1 = array(nodes);
    f->node_flux = array(nodes);
    f->node_mass_pre = array(nodes);
    f->node_mass_post = array(nodes);
    f->momentum_flux = array(nodes);
    return f->xvel0 && f->xvel1 && f->yvel0 && f->yvel1 && f->node_flux && f->node_mass_pre
        && f->node_mass_post && f->momentum_flux;
}

static int create_faces(struct field *f, int xfaces, int yfaces)
{
    f->xarea = array(xfaces);
    f->xvolume_flux = array(xfaces);
    f->xmass_flux = array(xfaces);
    f->xenergy_flux = array(xfaces);
    f->yarea = array(yfaces);
    f->yvolume_flux = array(yfaces);
    f->ymass_flux = array(yfaces);
    f->yenergy_flux = array(yfaces);
    return f->xarea && f->xvolume_flux && f->xmass_flux && f->xenergy_flux && f->yarea
        && f->yvolume_flux && f->ymass_flux && f->yenergy_flux;
}

static int create_rows(struct field *f, int rows)
{
    f->row_volume = array(rows);
    f->row_mass = array(rows);
    f->row_internal = array(rows);
    f->row_kinetic = array(rows);
    return f->row_volume && f->row_mass && f->row_internal && f->row_kinetic;
}

/*
 * All arrays, filled with zeros, for a domain one unit wide and as high as square
 * cells make it.  Says whether there was enough memory.
 */
int grid_create(struct chunk *c, int nx, int ny)
{
    c->nx = nx;
    c->ny = ny;
    c->width = nx + 2 * GHOST;
    c->height = ny + 2 * GHOST;
    c->cells = c->width * c->height;
    c->nodes = (c->width + 1) * (c->height + 1);
    c->xfaces = (c->width + 1) * c->height;
    c->yfaces = c->width * (c->height + 1);
    c->dx = 1.0 / nx;
    c->dy = 1.0 / nx;
    c->time = 0.0;
    c->dt = 0.0;
    return create_cells(&c->field, c->cells) && create_nodes(&c->field, c->nodes)
        && create_faces(&c->field, c->xfaces, c->yfaces) && create_rows(&c->field, ny);
}

/* Density and energy by place, everything at rest. */
void grid_initialise(struct chunk *c)
{
    const int w = c->width, h = c->height;
    struct field *f = &c->field;

    for (int j = 0; j < h; j++) {
        for (int i = 0; i < w; i++) {
            double x = (i - GHOST + 0.5) * c->dx, y = (j - GHOST + 0.5) * c->dy;
            double from_drop = (x - DROP_X) * (x - DROP_X) + (y - DROP_Y) * (y - DROP_Y);
            int k = CELL(i, j);

            f->volume[k] = c->dx * c->dy;
            f->density0[k] = AMBIENT_DENSITY;
            f->energy0[k] = AMBIENT_ENERGY;
            if (x < SLAB_WIDTH) {
                f->energy0[k] = SLAB_ENERGY;
            } else if (from_drop < DROP_RADIUS * DROP_RADIUS) {
                /* in pressure equilibrium with what is round it */
                f->density0[k] = DROP_DENSITY;
                f->energy0[k] = AMBIENT_ENERGY * AMBIENT_DENSITY / DROP_DENSITY;
            }
            f->density1[k] = f->density0[k];
            f->energy1[k] = f->energy0[k];
        }
    }
    for (int k = 0; k < c->xfaces; k++)
        f->xarea[k] = c->dy;
    for (int k = 0; k < c->yfaces; k++)
        f->yarea[k] = c->dx;
}

void grid_destroy(struct chunk *c)
{
    struct field *f = &c->field;

    free(f->density0);
    free(f->density1);
    free(f->energy0);
    free(f->energy1);
    free(f->pressure);
    free(f->viscosity);
    free(f->soundspeed);
    free(f->volume);
    free(f->volume_pre);
    free(f->volume_post);
    free(f->xvel0);
    free(f->xvel1);
    free(f->yvel0);
    free(f->yvel1);
    free(f->node_flux);
    free(f->node_mass_pre);
    free(f->node_mass_post);
    free(f->momentum_flux);
    free(f->xarea);
    free(f->xvolume_flux);
    free(f->xmass_flux);
    free(f->xenergy_flux);
    free(f->yarea);
    free(f->yvolume_flux);
    free(f->ymass_flux);
    free(f->yenergy_flux);
    free(f->row_volume);
    free(f->row_mass);
    free(f->row_internal);
    free(f->row_kinetic);
}
