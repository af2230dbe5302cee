/* Global scalars and pointers. */
int N; static int M; double *X, *Y; static double *P, *Q; double alpha;
void f(int *a) { for (int i = 0; i < N; i++) a[i] = 0; }
void g(double *a) { for (int i = 0; i < 100; i++) a[i] *= alpha; }
void h(void) { for (int i = 0; i < M; i++) X[i] = Y[i]; }
static int S; int k(int n, int *a) { S = 0; for (int i = 0; i < n; i++) S += a[i]; return S; }
void *malloc(unsigned long);
void m(int n) { double *x = malloc(n * sizeof *x), *y = malloc(n * sizeof *y); for (int i = 0; i < n; i++) { x[i] = i; y[i] = x[i]; } }
void o(int n, double *restrict x, double *restrict y) { for (int i = 0; i < n; i++) y[i] = x[i]; }
const int C = 50; void p(int *a) { for (int i = 0; i < C; i++) a[i] = a[i + 50]; }
