/* Volatile, atomic, assembly, long double, variable-length arrays in the loop. */
volatile int v; _Atomic int x; long double L[10];
void f(int n, int *a) { for (int i = 0; i < n; i++) a[i] = v; }
void g(int n, int *a) { for (int i = 0; i < n; i++) { a[i] = 0; x++; } }
void h(int n, int *a) { for (int i = 0; i < n; i++) { a[i] = 0; __asm__ volatile("" ::: "memory"); } }
void k(int n) { for (int i = 0; i < n; i++) L[i] = i; }
void m(int n, int *a) { for (int i = 0; i < n; i++) { int w[n]; w[0] = i; a[i] = w[0]; } }
void o(int n, int *a) { for (int i = 0; i < n; i++) { long double t = i; a[i] = t; } }
struct pair { int x[40]; }; void q(int n, struct pair *p, volatile struct pair *q) { for (int i = 0; i < n; i++) p[i] = q[i]; }
void r(int n, struct pair *p) { for (int i = 0; i < n; i++) p[i] = p[i + 1]; }
void s(int n, struct pair *p) { for (int i = 0; i < n; i++) p[2 * i] = p[2 * i + 1]; }
