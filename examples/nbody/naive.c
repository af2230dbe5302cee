/* Direct-sum gravitational n-body simulation with a leapfrog step.
 * Every OUTPUT_EVERY steps the host prints the kinetic energy and the centre
 * of mass, and appends a frame to the trajectory it writes out at the end. */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { BODIES = 160, STEPS = 44, OUTPUT_EVERY = 10 };

typedef struct { double x, y, z, mass; } Particle;
typedef struct { double x, y, z; } Vec3;

static const double softening = 1e-2;
static const double dt = 1e-3;

static double uniform(unsigned long long *state) {
    *state = *state * 6364136223846793005ull + 1442695040888963407ull;
    return (double)(*state >> 11) / 9007199254740992.0;
}

static void init(Particle *p, Vec3 *v, int n) {
    unsigned long long state = 42;
    for (int i = 0; i < n; i++) {
        p[i].x = uniform(&state) - 0.5;
        p[i].y = uniform(&state) - 0.5;
        p[i].z = uniform(&state) - 0.5;
        p[i].mass = 0.5 + uniform(&state);
        v[i].x = 0.1 * (uniform(&state) - 0.5);
        v[i].y = 0.1 * (uniform(&state) - 0.5);
        v[i].z = 0.1 * (uniform(&state) - 0.5);
    }
}

static void report(int step, const Particle *p, const Vec3 *v, int n) {
    double kinetic = 0.0, cx = 0.0, cy = 0.0, mass = 0.0;
    for (int i = 0; i < n; i++) {
        kinetic += 0.5 * p[i].mass * (v[i].x * v[i].x + v[i].y * v[i].y + v[i].z * v[i].z);
        cx += p[i].mass * p[i].x;
        cy += p[i].mass * p[i].y;
        mass += p[i].mass;
    }
    printf("step %3d  kinetic %.17g  centre %.17g %.17g\n", step, kinetic, cx / mass, cy / mass);
}

static unsigned long long fnv(const double *v, int count) {
    unsigned long long h = 14695981039346656037ull;
    for (int i = 0; i < count; i++) {
        unsigned long long bits;
        memcpy(&bits, v + i, sizeof bits);
        h = (h ^ bits) * 1099511628211ull;
    }
    return h;
}

int main(void) {
    const int n = BODIES;
    Particle *p = malloc(n * sizeof *p);
    Vec3 *v = malloc(n * sizeof *v);
    Vec3 *a = malloc(n * sizeof *a);
    double *track = malloc((STEPS / OUTPUT_EVERY) * n * sizeof *track);
    if (!p || !v || !a || !track) return 1;

    init(p, v, n);
    int frames = 0;

    for (int step = 1; step <= STEPS; step++) {
        /* accelerations */
        #pragma omp target teams distribute parallel for map(to: p[0:n]) map(from: a[0:n])
        for (int i = 0; i < n; i++) {
            double ax = 0.0, ay = 0.0, az = 0.0;
            for (int j = 0; j < n; j++) {
                double dx = p[j].x - p[i].x;
                double dy = p[j].y - p[i].y;
                double dz = p[j].z - p[i].z;
                double r2 = dx * dx + dy * dy + dz * dz + softening;
                double inv = p[j].mass / (r2 * sqrt(r2));
                ax += dx * inv;
                ay += dy * inv;
                az += dz * inv;
            }
            a[i].x = ax;
            a[i].y = ay;
            a[i].z = az;
        }

        /* kick and drift */
        #pragma omp target teams distribute parallel for map(to: a[0:n]) map(tofrom: p[0:n], v[0:n])
        for (int i = 0; i < n; i++) {
            v[i].x += dt * a[i].x;
            v[i].y += dt * a[i].y;
            v[i].z += dt * a[i].z;
            p[i].x += dt * v[i].x;
            p[i].y += dt * v[i].y;
            p[i].z += dt * v[i].z;
        }

        if (step % OUTPUT_EVERY == 0) {
            report(step, p, v, n);
            for (int i = 0; i < n; i++) track[frames * n + i] = p[i].x;
            frames++;
        }
    }

    printf("particles  %016llx  %.17g\n", fnv(&p[0].x, 4 * n), p[n - 1].y);
    printf("velocities %016llx  %.17g\n", fnv(&v[0].x, 3 * n), v[n / 2].z);
    printf("forces     %016llx  %.17g\n", fnv(&a[0].x, 3 * n), a[0].x);
    printf("track      %016llx  %d frames\n", fnv(track, frames * n), frames);

    free(p);
    free(v);
    free(a);
    free(track);
    return 0;
}
