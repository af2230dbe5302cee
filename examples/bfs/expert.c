/* Breadth-first search, level by level, on a synthetic undirected graph in
 * compressed adjacency form.  The host loops until a level adds no vertex.
 *
 * Vertices pull: each one looks whether a neighbour is on the frontier, so that
 * a thread only ever writes its own vertex.
 *
 * Hand-optimised movement.  Resident during the search: the graph, which goes up
 * once and never comes back, and the three per-vertex arrays, which go up once
 * and come back once, because the host counts and prints them at the end.  Only
 * `added`, the flag that ends the loop, crosses per level. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define VERTICES 4000
#define EXTRA    3          /* long-range edges per vertex, before mirroring */

struct graph {
   int vertices;
   int edges;               /* directed: each undirected edge counts twice */
   int *offset;             /* [vertices + 1] */
   int *neighbour;          /* [edges] */
};

static unsigned target_of(unsigned v, unsigned k)
{
   /* vertices of one residue class only link among themselves, so that the
    * search leaves some of the graph unreached */
   unsigned step = 1 + (v * 2654435761u >> 20) % (5 + 61 * k);
   return (v + 4 * step) % VERTICES;
}

static int build(struct graph *g)
{
   int *degree = calloc(VERTICES, sizeof(int));
   g->vertices = VERTICES;
   g->edges = 2 * EXTRA * VERTICES;
   g->offset = malloc((VERTICES + 1) * sizeof(int));
   g->neighbour = malloc((size_t)g->edges * sizeof(int));
   if (!degree || !g->offset || !g->neighbour) {
      free(degree);
      return 0;
   }

   for (unsigned v = 0; v < VERTICES; v++)
      for (unsigned k = 0; k < EXTRA; k++) {
         degree[v]++;
         degree[target_of(v, k)]++;
      }

   g->offset[0] = 0;
   for (int v = 0; v < VERTICES; v++)
      g->offset[v + 1] = g->offset[v] + degree[v];

   memset(degree, 0, VERTICES * sizeof(int));
   for (unsigned v = 0; v < VERTICES; v++)
      for (unsigned k = 0; k < EXTRA; k++) {
         unsigned w = target_of(v, k);
         g->neighbour[g->offset[v] + degree[v]++] = (int)w;
         g->neighbour[g->offset[w] + degree[w]++] = (int)v;
      }
   free(degree);
   return 1;
}

static unsigned long long hash_ints(const int *v, int count)
{
   unsigned long long h = 14695981039346656037ull;
   for (int i = 0; i < count; i++)
      h = (h ^ (unsigned)v[i]) * 1099511628211ull;
   return h;
}

static unsigned long long hash_flags(const unsigned char *v, int count)
{
   unsigned long long h = 14695981039346656037ull;
   for (int i = 0; i < count; i++)
      h = (h ^ v[i]) * 1099511628211ull;
   return h;
}

int main(void)
{
   struct graph g;
   if (!build(&g))
      return 1;

   const int n = g.vertices;
   const int m = g.edges;
   const int *offset = g.offset;
   const int *neighbour = g.neighbour;

   int *cost = malloc(n * sizeof(int));
   unsigned char *frontier = malloc(n);
   unsigned char *next = malloc(n);
   if (!cost || !frontier || !next)
      return 1;

   const int source = 8;
   for (int v = 0; v < n; v++) {
      cost[v] = -1;
      frontier[v] = 0;
      next[v] = 0;
   }
   cost[source] = 0;
   frontier[source] = 1;

   int level = 0;
   int added;
   #pragma omp target data map(to: offset[0:n+1], neighbour[0:m]) map(tofrom: cost[0:n], frontier[0:n], next[0:n])
   do {
      added = 0;

      #pragma omp target teams distribute parallel for
      for (int v = 0; v < n; v++) {
         if (cost[v] >= 0)
            continue;
         for (int e = offset[v]; e < offset[v + 1]; e++)
            if (frontier[neighbour[e]]) {
               next[v] = 1;
               break;
            }
      }

      #pragma omp target teams distribute parallel for reduction(+: added) map(tofrom: added)
      for (int v = 0; v < n; v++) {
         frontier[v] = next[v];
         if (next[v]) {
            cost[v] = level + 1;
            next[v] = 0;
            added++;
         }
      }

      level++;
      printf("level %2d: %d vertices\n", level, added);
   } while (added > 0);

   int reached = 0, farthest = 0;
   for (int v = 0; v < n; v++) {
      if (cost[v] >= 0)
         reached++;
      if (cost[v] > farthest)
         farthest = cost[v];
   }

   printf("reached %d of %d vertices, farthest %d\n", reached, n, farthest);
   printf("offset    %016llx\n", hash_ints(g.offset, n + 1));
   printf("neighbour %016llx\n", hash_ints(g.neighbour, m));
   printf("cost      %016llx  cost[0] %d  cost[n/2] %d\n", hash_ints(cost, n), cost[0], cost[n / 2]);
   printf("frontier  %016llx\n", hash_flags(frontier, n));
   printf("next      %016llx\n", hash_flags(next, n));

   free(cost);
   free(frontier);
   free(next);
   free(g.offset);
   free(g.neighbour);
   return 0;
}
