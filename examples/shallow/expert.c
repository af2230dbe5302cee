/*
 * Shallow-water waves in a closed basin, on variable-length two-dimensional
 * arrays.  Seven small kernels make a time step; every few steps the host keeps a
 * record of one row, the wave gauge.
 *
 * Hand-optimised movement.  Resident during all steps: heights, new heights and
 * both velocities, all four tofrom, since the kernels leave borders alone that
 * are read or printed later.  When the gauge is due, its one row comes down.
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define GRAVITY 9.81
#define DEPTH 10.0
#define GAUGE_ROW 11
#define EVERY 8 /* steps between two records of the gauge */

/* Runs all steps and keeps a record of one row, the wave gauge. */
static void simulate(int ny, int nx, double (*h)[nx], double (*hn)[nx], double (*u)[nx], double (*v)[nx],
                     double (*gauge)[nx], int steps)
{
    const double depth = DEPTH, dt = 0.01;

    #pragma omp target data map(tofrom: h[0:ny][0:nx], hn[0:ny][0:nx], u[0:ny][0:nx], v[0:ny][0:nx])
    for (int step = 0; step < steps; step++) {
        /* velocities from the slope of the surface */
        #pragma omp target teams distribute parallel for collapse(2) \
            map(to: h[0:ny][0:nx]) map(tofrom: u[0:ny][0:nx], v[0:ny][0:nx])
        for (int y = 1; y < ny - 1; y++) {
            for (int x = 1; x < nx - 1; x++) {
                u[y][x] -= dt * GRAVITY * 0.5 * (h[y][x + 1] - h[y][x - 1]);
                v[y][x] -= dt * GRAVITY * 0.5 * (h[y + 1][x] - h[y - 1][x]);
            }
        }

        /* heights from the divergence of the velocities */
        #pragma omp target teams distribute parallel for collapse(2) \
            map(to: h[0:ny][0:nx], u[0:ny][0:nx], v[0:ny][0:nx]) map(tofrom: hn[0:ny][0:nx])
        for (int y = 1; y < ny - 1; y++) {
            for (int x = 1; x < nx - 1; x++) {
                double div = 0.5 * (u[y][x + 1] - u[y][x - 1]) + 0.5 * (v[y + 1][x] - v[y - 1][x]);
                hn[y][x] = h[y][x] - dt * depth * div;
            }
        }

        /* walls: the height beside a wall equals that of the cell next to it */
        #pragma omp target teams distribute parallel for map(tofrom: hn[0:ny][0:nx])
        for (int x = 1; x < nx - 1; x++) {
            hn[0][x] = hn[1][x];
            hn[ny - 1][x] = hn[ny - 2][x];
        }

        #pragma omp target teams distribute parallel for map(tofrom: hn[0:ny][0:nx])
        for (int y = 0; y < ny; y++) {
            hn[y][0] = hn[y][1];
            hn[y][nx - 1] = hn[y][nx - 2];
        }

        /* slight diffusion keeps the scheme calm; writes h back from hn */
        #pragma omp target teams distribute parallel for collapse(2) \
            map(to: hn[0:ny][0:nx]) map(tofrom: h[0:ny][0:nx])
        for (int y = 1; y < ny - 1; y++)
            for (int x = 1; x < nx - 1; x++)
                h[y][x] = 0.92 * hn[y][x]
                        + 0.02 * (hn[y][x - 1] + hn[y][x + 1] + hn[y - 1][x] + hn[y + 1][x]);

        /* and the walls again, now of h */
        #pragma omp target teams distribute parallel for map(tofrom: h[0:ny][0:nx])
        for (int x = 1; x < nx - 1; x++) {
            h[0][x] = h[1][x];
            h[ny - 1][x] = h[ny - 2][x];
        }

        #pragma omp target teams distribute parallel for map(tofrom: h[0:ny][0:nx])
        for (int y = 0; y < ny; y++) {
            h[y][0] = h[y][1];
            h[y][nx - 1] = h[y][nx - 2];
        }

        if (step % EVERY == 0) {
            #pragma omp target update from(h[GAUGE_ROW:1][0:nx])
            for (int x = 0; x < nx; x++)
                gauge[step / EVERY][x] = h[GAUGE_ROW][x];
        }
    }
}

static unsigned long long digest(int ny, int nx, double (*a)[nx])
{
    unsigned long long hash = 14695981039346656037ull;
    for (int y = 0; y < ny; y++) {
        for (int x = 0; x < nx; x++) {
            unsigned long long bits;
            memcpy(&bits, &a[y][x], sizeof bits);
            hash = (hash ^ bits) * 1099511628211ull;
        }
    }
    return hash;
}

int main(void)
{
    const int nx = 60, ny = 44, steps = 80;

    double (*h)[nx] = malloc(sizeof(double[ny][nx]));
    double (*hn)[nx] = malloc(sizeof(double[ny][nx]));
    double (*u)[nx] = malloc(sizeof(double[ny][nx]));
    double (*v)[nx] = malloc(sizeof(double[ny][nx]));
    double (*gauge)[nx] = malloc(sizeof(double[steps / EVERY][nx]));
    if (!h || !hn || !u || !v || !gauge) return 1;

    for (int y = 0; y < ny; y++) {
        for (int x = 0; x < nx; x++) {
            int dx = x - 20, dy = y - 15;
            double bump = 1.0 - (dx * dx + dy * dy) / 64.0;
            h[y][x] = DEPTH + (bump > 0.0 ? bump : 0.0);
            hn[y][x] = DEPTH;
            u[y][x] = 0.0;
            v[y][x] = 0.0;
        }
    }

    simulate(ny, nx, h, hn, u, v, gauge, steps);

    printf("h     %016llx  %.17g\n", digest(ny, nx, h), h[ny / 2][nx / 2]);
    printf("hn    %016llx  %.17g\n", digest(ny, nx, hn), hn[ny / 2][nx / 2]);
    printf("u     %016llx  %.17g\n", digest(ny, nx, u), u[ny / 2][nx / 2]);
    printf("v     %016llx  %.17g\n", digest(ny, nx, v), v[ny / 2][nx / 2]);
    printf("gauge %016llx  %.17g\n", digest(steps / EVERY, nx, gauge), gauge[steps / EVERY - 1][nx / 3]);

    free(h);
    free(hn);
    free(u);
    free(v);
    free(gauge);
    return 0;
}
