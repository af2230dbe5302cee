/*
 * What the calculation tells: sums over the domain, a gauge, and the fields at
 * the end.
 */
#include <stdint.h>
#include <stdio.h>
#include <string.h>

#include "kernels.h"

/*
 * Volume, mass and energies.  The device adds up rows, the host adds up the rows
 * in order, so the result does not depend on the number of threads.
 */
void field_summary(struct chunk *c, int step)
{
    const int nx = c->nx, ny = c->ny, w = c->width;
    const int cells = c->cells, nodes = c->nodes;
    const double *volume = c->field.volume;
    const double *density = c->field.density0;
    const double *energy = c->field.energy0;
    const double *xvel = c->field.xvel0;
    const double *yvel = c->field.yvel0;
    double *row_volume = c->field.row_volume;
    double *row_mass = c->field.row_mass;
    double *row_internal = c->field.row_internal;
    double *row_kinetic = c->field.row_kinetic;

    #pragma omp target teams distribute parallel for \
        map(to: volume[0:cells], density[0:cells], energy[0:cells], xvel[0:nodes], yvel[0:nodes]) \
        map(from: row_volume[0:ny], row_mass[0:ny], row_internal[0:ny], row_kinetic[0:ny])
    for (int row = 0; row < ny; row++) {
        double sum_volume = 0.0, sum_mass = 0.0, sum_internal = 0.0, sum_kinetic = 0.0;
        int j = row + GHOST;

        for (int i = GHOST; i < nx + GHOST; i++) {
            int k = CELL(i, j);
            double mass = density[k] * volume[k];
            double speed2 = 0.0;

            for (int corner = 0; corner < 4; corner++) {
                int n = NODE(i + corner % 2, j + corner / 2);
                speed2 += 0.25 * (xvel[n] * xvel[n] + yvel[n] * yvel[n]);
            }
            sum_volume += volume[k];
            sum_mass += mass;
            sum_internal += mass * energy[k];
            sum_kinetic += 0.5 * mass * speed2;
        }
        row_volume[row] = sum_volume;
        row_mass[row] = sum_mass;
        row_internal[row] = sum_internal;
        row_kinetic[row] = sum_kinetic;
    }

    double all_volume = 0.0, mass = 0.0, internal = 0.0, kinetic = 0.0;
    for (int row = 0; row < ny; row++) {
        all_volume += row_volume[row];
        mass += row_mass[row];
        internal += row_internal[row];
        kinetic += row_kinetic[row];
    }
    printf("step %d: time %.17g, dt %.17g\n", step, c->time, c->dt);
    printf("  volume   %.17g\n  mass     %.17g\n", all_volume, mass);
    printf("  internal %.17g\n  kinetic  %.17g\n  total    %.17g\n", internal, kinetic, internal + kinetic);
}

/* A gauge where the drop begins. */
void probe(const struct chunk *c, int step)
{
    const int w = c->width;
    const int k = CELL(GHOST + 2 * c->nx / 5, GHOST + c->ny / 2);

    #pragma omp target update from(c->field.density0[k:1], c->field.pressure[k:1])
    printf("probe %d: %.17g %.17g\n", step, c->field.density0[k], c->field.pressure[k]);
}

static uint64_t bits_of(double value)
{
    uint64_t bits;

    memcpy(&bits, &value, sizeof bits);
    return bits;
}

/* FNV-1a over the bits of an array, and a few of its elements. */
static void print_field(const char *name, const double *v, int size)
{
    uint64_t hash = UINT64_C(14695981039346656037);

    for (int k = 0; k < size; k++)
        hash = (hash ^ bits_of(v[k])) * UINT64_C(1099511628211);
    printf("%-15s %016llx  %.17g %.17g %.17g\n", name, (unsigned long long)hash, v[size / 3], v[size / 2],
           v[size - size / 4]);
}

/* Every array that a kernel writes. */
void print_fields(const struct chunk *c)
{
    const struct field *f = &c->field;

    print_field("density0", f->density0, c->cells);
    print_field("density1", f->density1, c->cells);
    print_field("energy0", f->energy0, c->cells);
    print_field("energy1", f->energy1, c->cells);
    print_field("pressure", f->pressure, c->cells);
    print_field("viscosity", f->viscosity, c->cells);
    print_field("soundspeed", f->soundspeed, c->cells);
    print_field("volume_pre", f->volume_pre, c->cells);
    print_field("volume_post", f->volume_post, c->cells);
    print_field("xvel0", f->xvel0, c->nodes);
    print_field("xvel1", f->xvel1, c->nodes);
    print_field("yvel0", f->yvel0, c->nodes);
    print_field("yvel1", f->yvel1, c->nodes);
    print_field("node_flux", f->node_flux, c->nodes);
    print_field("node_mass_pre", f->node_mass_pre, c->nodes);
    print_field("node_mass_post", f->node_mass_post, c->nodes);
    print_field("momentum_flux", f->momentum_flux, c->nodes);
    print_field("xvolume_flux", f->xvolume_flux, c->xfaces);
    print_field("xmass_flux", f->xmass_flux, c->xfaces);
    print_field("xenergy_flux", f->xenergy_flux, c->xfaces);
    print_field("yvolume_flux", f->yvolume_flux, c->yfaces);
    print_field("ymass_flux", f->ymass_flux, c->yfaces);
    print_field("yenergy_flux", f->yenergy_flux, c->yfaces);
    print_field("row_volume", f->row_volume, c->ny);
    print_field("row_mass", f->row_mass, c->ny);
    print_field("row_internal", f->row_internal, c->ny);
    print_field("row_kinetic", f->row_kinetic, c->ny);
}
