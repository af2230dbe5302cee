/*
 * Lattice Boltzmann, D2Q9, BGK collision: flow past an obstacle in a channel
 * that is periodic in x.  Pull scheme with two copies of the distributions,
 * exchanged after every step.  Every REPORT steps the device computes the moments
 * and the host sums them up.
 *
 * Hand-optimised movement.  Resident during the time loop: both copies of the
 * distributions, the obstacle, and the lattice tables.  `f` goes up; `g` is
 * written in full before it is read, so nothing goes up for it; which of the two
 * is the newer one at the end depends on the number of steps, and both are
 * printed, so both come down.  The moments are computed on the device whenever a
 * report is due and come down then: they need no residency of their own, and the
 * maps of their kernel say exactly that.
 */
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define NX 48
#define NY 24
#define Q 9
#define CELLS (NX * NY)
#define AT(q, x, y) ((q) * CELLS + (y) * NX + (x))

#define STEPS 60
#define REPORT 20

typedef struct {
  double omega;   /* relaxation rate, 1/tau */
  double force;   /* body force along x     */
  int steps;
} Params;

static const int opposite_of[Q] = {0, 3, 4, 1, 2, 7, 8, 5, 6};
static const int velocity_x[Q] = {0, 1, 0, -1, 0, 1, -1, -1, 1};
static const int velocity_y[Q] = {0, 0, 1, 0, -1, 1, 1, -1, -1};
static const double weight_of[Q] = {4.0 / 9,  1.0 / 9,  1.0 / 9,  1.0 / 9, 1.0 / 9,
                                    1.0 / 36, 1.0 / 36, 1.0 / 36, 1.0 / 36};

static uint64_t hash_doubles(const double *v, int count)
{
  uint64_t h = 14695981039346656037u;
  for (int i = 0; i < count; i++) {
    union { double d; uint64_t u; } pun = {.d = v[i]};
    h = (h ^ pun.u) * 1099511628211u;
  }
  return h;
}

static void setup(double *f, unsigned char *solid)
{
  for (int y = 0; y < NY; y++)
    for (int x = 0; x < NX; x++) {
      int dx = x - NX / 4, dy = y - NY / 2;
      solid[y * NX + x] = dx * dx + dy * dy <= 16;
      for (int q = 0; q < Q; q++)
        f[AT(q, x, y)] = weight_of[q];
    }
}

int main(void)
{
  Params par = {.omega = 1.0 / 0.8, .force = 0.0005, .steps = STEPS};
  const double omega = par.omega, force = par.force;
  double *f = malloc(sizeof(double) * Q * CELLS);
  double *g = malloc(sizeof(double) * Q * CELLS);
  double *rho = malloc(sizeof(double) * CELLS);
  double *mx = malloc(sizeof(double) * CELLS);
  unsigned char *solid = malloc(CELLS);
  if (!f || !g || !rho || !mx || !solid)
    return 1;

  setup(f, solid);
  memset(g, 0, sizeof(double) * Q * CELLS);

  /* f and g change places in the loop, so the region's end is not a mirror of its
   * beginning: enter and exit data say what each buffer needs at each end */
#pragma omp target enter data map(to: f[0:Q * CELLS], solid[0:CELLS], opposite_of, velocity_x, velocity_y, weight_of) \
    map(alloc: g[0:Q * CELLS])
  for (int step = 1; step <= STEPS; step++) {
    /* stream from the neighbours in `f`, collide, store in `g` */
#pragma omp target teams distribute parallel for collapse(2) \
    map(to: f[0:Q * CELLS], solid[0:CELLS], opposite_of, velocity_x, velocity_y, weight_of) \
    map(from: g[0:Q * CELLS])
    for (int y = 0; y < NY; y++) {
      for (int x = 0; x < NX; x++) {
        double in[Q];
        double density = 0.0, ux = 0.0, uy = 0.0;

        for (int q = 0; q < Q; q++) {
          int sx = (x - velocity_x[q] + NX) % NX;
          int sy = y - velocity_y[q];
          /* a wall or the obstacle behind us sends the population back */
          if (sy < 0 || sy >= NY || solid[sy * NX + sx])
            in[q] = f[AT(opposite_of[q], x, y)];
          else
            in[q] = f[AT(q, sx, sy)];
          density += in[q];
          ux += velocity_x[q] * in[q];
          uy += velocity_y[q] * in[q];
        }
        ux = ux / density + force;
        uy = uy / density;

        double usq = 1.5 * (ux * ux + uy * uy);
        for (int q = 0; q < Q; q++) {
          double cu = 3.0 * (velocity_x[q] * ux + velocity_y[q] * uy);
          double feq = weight_of[q] * density * (1.0 + cu + 0.5 * cu * cu - usq);
          g[AT(q, x, y)] = solid[y * NX + x] ? weight_of[q] : in[q] + omega * (feq - in[q]);
        }
      }
    }

    double *t = f;
    f = g;
    g = t;

    if (step % REPORT == 0) {
      /* density and momentum along x of every cell */
#pragma omp target teams distribute parallel for map(to: f[0:Q * CELLS]) map(from: rho[0:CELLS], mx[0:CELLS])
      for (int c = 0; c < CELLS; c++) {
        double r = 0.0;
        for (int q = 0; q < Q; q++)
          r += f[q * CELLS + c];
        rho[c] = r;
        mx[c] = f[1 * CELLS + c] + f[5 * CELLS + c] + f[8 * CELLS + c]
              - f[3 * CELLS + c] - f[6 * CELLS + c] - f[7 * CELLS + c];
      }

      double mass = 0.0, momentum = 0.0;
      for (int c = 0; c < CELLS; c++) {
        mass += rho[c];
        momentum += mx[c];
      }
      printf("step %3d  mass %.15g  momentum %.15g\n", step, mass, momentum);
    }
  }
#pragma omp target exit data map(from: f[0:Q * CELLS], g[0:Q * CELLS]) \
    map(release: solid[0:CELLS], opposite_of, velocity_x, velocity_y, weight_of)

  int cells_solid = 0;
  for (int c = 0; c < CELLS; c++)
    cells_solid += solid[c];
  printf("solid cells %d\n", cells_solid);
  printf("f   %016llx  %.17g\n", (unsigned long long)hash_doubles(f, Q * CELLS), f[AT(1, NX / 2, NY / 2)]);
  printf("g   %016llx  %.17g\n", (unsigned long long)hash_doubles(g, Q * CELLS), g[AT(1, NX / 2, NY / 2)]);
  printf("rho %016llx\n", (unsigned long long)hash_doubles(rho, CELLS));
  printf("mx  %016llx\n", (unsigned long long)hash_doubles(mx, CELLS));

  free(f);
  free(g);
  free(rho);
  free(mx);
  free(solid);
  return 0;
}
