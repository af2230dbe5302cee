/*
 * k-means clustering.  Points are assigned to the nearest centroid on the
 * device; the centroids are recomputed on the host, which keeps the sums in a
 * fixed order.
 *
 * Hand-optimised movement.  Resident during the rounds: the points (by far the
 * largest array, up once, never back), the memberships and the centroids.  Per
 * round the memberships come down, since the host needs them to recompute the
 * centroids, and the few centroids go up if there is another round.  Both are
 * right on the host when the loop ends, so nothing comes down after it.
 */
#include <float.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define NPOINTS   3000
#define NFEATURES 8
#define NCLUSTERS 6
#define MAXROUNDS 30

static uint32_t
next_random(uint32_t *state)
{
    *state = *state * 1664525u + 1013904223u;
    return *state >> 8;
}

static uint64_t
hash_words(const void *data, size_t words)
{
    const uint32_t *w = data;
    uint64_t h = 14695981039346656037ull;
    for (size_t i = 0; i < words; ++i)
    {
        h = (h ^ w[i]) * 1099511628211ull;
    }
    return h;
}

static void
make_points(float *points, int npoints, int nfeatures)
{
    uint32_t seed = 12345u;
    for (int i = 0; i < npoints; ++i)
    {
        for (int f = 0; f < nfeatures; ++f)
        {
            float spread = (float)(next_random(&seed) & 1023u) / 128.0f;
            points[i * nfeatures + f] = (float)((i % NCLUSTERS) * (f + 1) % 11) + spread;
        }
    }
}

/* Recomputes every centroid from its members; an empty cluster keeps its place. */
static void
update_centroids(const float *points, const int *membership, float *centroids,
                 int npoints, int nclusters, int nfeatures)
{
    double sums[NCLUSTERS * NFEATURES] = {0.0};
    int sizes[NCLUSTERS] = {0};

    for (int i = 0; i < npoints; ++i)
    {
        int c = membership[i];
        sizes[c]++;
        for (int f = 0; f < nfeatures; ++f)
        {
            sums[c * nfeatures + f] += points[i * nfeatures + f];
        }
    }
    for (int c = 0; c < nclusters; ++c)
    {
        if (sizes[c] == 0)
        {
            continue;
        }
        for (int f = 0; f < nfeatures; ++f)
        {
            centroids[c * nfeatures + f] = (float)(sums[c * nfeatures + f] / sizes[c]);
        }
    }
}

int
main(void)
{
    const int n = NPOINTS, k = NCLUSTERS, d = NFEATURES;
    float *points = malloc(sizeof(float) * n * d);
    float *centroids = malloc(sizeof(float) * k * d);
    int *membership = malloc(sizeof(int) * n);
    int round, moved;

    if (points == NULL || centroids == NULL || membership == NULL)
    {
        return EXIT_FAILURE;
    }

    make_points(points, n, d);
    memcpy(centroids, points, sizeof(float) * k * d);
    for (int i = 0; i < n; ++i)
    {
        membership[i] = -1;
    }

    #pragma omp target enter data map(to: points[0:n*d], centroids[0:k*d], membership[0:n])

    for (round = 0; round < MAXROUNDS; ++round)
    {
        moved = 0;

        #pragma omp target teams distribute parallel for reduction(+: moved) map(tofrom: moved)
        for (int i = 0; i < n; ++i)
        {
            int best = 0;
            float best_distance = FLT_MAX;
            for (int c = 0; c < k; ++c)
            {
                float distance = 0.0f;
                for (int f = 0; f < d; ++f)
                {
                    float delta = points[i * d + f] - centroids[c * d + f];
                    distance += delta * delta;
                }
                if (distance < best_distance)
                {
                    best_distance = distance;
                    best = c;
                }
            }
            if (membership[i] != best)
            {
                moved += 1;
            }
            membership[i] = best;
        }

        #pragma omp target update from(membership[0:n])
        update_centroids(points, membership, centroids, n, k, d);
        printf("round %2d: %d points moved\n", round, moved);
        if (moved == 0)
        {
            break;
        }
        #pragma omp target update to(centroids[0:k*d])
    }

    #pragma omp target exit data map(release: points[0:n*d], centroids[0:k*d], membership[0:n])

    printf("points     %016llx\n", (unsigned long long)hash_words(points, (size_t)n * d));
    printf("membership %016llx  first %d last %d\n",
           (unsigned long long)hash_words(membership, (size_t)n), membership[0], membership[n - 1]);
    printf("centroids  %016llx\n", (unsigned long long)hash_words(centroids, (size_t)k * d));
    for (int c = 0; c < k; ++c)
    {
        printf("centroid %d: %.9g %.9g\n", c, centroids[c * d], centroids[c * d + d - 1]);
    }

    free(points);
    free(centroids);
    free(membership);
    return EXIT_SUCCESS;
}
