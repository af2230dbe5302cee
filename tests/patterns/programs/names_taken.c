/* --all args: */
/* A name that only macros make: the test of a loop must not be called that. */
#include <stdio.h>
#define N 64
#define GLUED_(a, b, c) a##_##b##_##c
#define GLUED(a, b, c) GLUED_(a, b, c)
static int GLUED(x, y, disjoint) = 5;
static int u[N], v[N];

static void both(int *x, int *y, int n) {
  for (int i = 0; i < n; i++) x[i] += y[i];
  x[1] += GLUED(x, y, disjoint);
  for (int i = 0; i < n; i++) y[i] += x[i] + GLUED(x, y, disjoint);
}
int main(void) {
  for (int i = 0; i < N; i++) {
    u[i] = i;
    v[i] = i * i;
  }
  both(u, u + 3, 40);
  both(u, v, 50);
  GLUED(x, y, disjoint)++;
  both(v + 1, v, 40);
  for (int i = 0; i < N; i++) printf("%d %d\n", u[i], v[i]);
}
