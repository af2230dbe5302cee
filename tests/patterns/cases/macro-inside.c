/* A macro that hides a loop, inside a loop. */
#define ZERO(a, n) for (int z = 0; z < (n); z++) (a)[z] = 0
#define PUT(a, i) (a)[i] = (i)
void f(int n, int *a) { for (int i = 0; i < n; i++) ZERO(a + i, 3); }
void g(int n, int *a) { for (int i = 0; i < n; i++) PUT(a, i); }
