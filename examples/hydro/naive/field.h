/*
 * The state of the calculation: a rectangle of cells on a staggered grid.
 *
 * Thermodynamic quantities live at cell centres, velocities at the nodes, fluxes
 * on the faces between cells.  All round the rectangle there are GHOST layers of
 * cells, which mirror those inside: the domain is a box with smooth walls.
 *
 *      node (i,j+1) +-----------+ node (i+1,j+1)
 *                   |           |
 *     x face (i,j)  | cell(i,j) |  x face (i+1,j)
 *                   |           |
 *        node (i,j) +-----------+ node (i+1,j)
 *                     y face (i,j)
 *
 * Cells with GHOST <= i < nx + GHOST are inside; walls are at the nodes and faces
 * GHOST and nx + GHOST, and likewise in y.
 */
#ifndef FIELD_H
#define FIELD_H

#include <stddef.h>

#define GHOST 2

/* Positions in arrays, for a chunk with rows of w cells. */
#define CELL(i, j) ((j) * w + (i))
#define NODE(i, j) ((j) * (w + 1) + (i))
#define XFACE(i, j) ((j) * (w + 1) + (i))
#define YFACE(i, j) ((j) * w + (i))

struct field {
    /* cell centres; 0 is the state at the start of a step, 1 the one at its end */
    double *density0, *density1;
    double *energy0, *energy1;      /* specific internal energy */
    double *pressure, *viscosity, *soundspeed;
    double *volume;
    double *volume_pre, *volume_post;   /* before and after a sweep of the remap */

    /* nodes */
    double *xvel0, *xvel1;
    double *yvel0, *yvel1;
    double *node_flux;              /* mass between neighbouring nodes */
    double *node_mass_pre, *node_mass_post;
    double *momentum_flux;

    /* faces in x and in y */
    double *xarea, *yarea;
    double *xvolume_flux, *yvolume_flux;
    double *xmass_flux, *ymass_flux;
    double *xenergy_flux, *yenergy_flux;

    /* rows of cells, for sums that do not depend on the number of threads */
    double *row_volume, *row_mass, *row_internal, *row_kinetic;
};

struct chunk {
    int nx, ny;                     /* cells inside */
    int width, height;              /* cells with ghosts */
    int cells, nodes, xfaces, yfaces;   /* elements of arrays */
    double dx, dy;
    double time, dt;
    struct field field;
};

#endif
