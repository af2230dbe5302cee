/* Reductions of all kinds. */
int f(int n, int *a) { int s = 0; for (int i = 0; i < n; i++) s -= a[i]; return s; }
unsigned g(int n, unsigned *a) { unsigned s = 1; for (int i = 0; i < n; i++) s *= a[i]; return s; }
int h(int n, int *a) { int s = 0; for (int i = 0; i < n; i++) { s |= a[i]; s |= 4; } return s; }
short k(int n, short *a) { short s = 0; for (int i = 0; i < n; i++) s += a[i]; return s; }
int m(int n, int m, int *a) { int s = 0; for (int i = 0; i < n; i++) for (int j = 0; j < m; j++) if (a[i * m + j] > 0) s = a[i * m + j] + s; return s; }
int o(int n, int *a) { int m = a[0]; for (int i = 0; i < n; i++) m = a[i] < m ? a[i] : m; return m; }
int p(int n, unsigned *a) { int m = 0; for (int i = 0; i < n; i++) if (a[i] > m) m = a[i]; return m; }
int q(int n, int *a) { int m = a[0]; for (int i = 0; i < n; i++) if (m < a[i]) m = a[i]; return m; }
int r(int n, int *a) { int m = a[0]; for (int i = 0; i < n; i++) if (a[i] > m) m = a[i] + 1; return m; }
int t(int n, int *a) { int m = a[0]; for (int i = 0; i < n; i++) if (a[i] > m) { a[i] = 0; m = a[i]; } return m; }
int u(int n, int *a) { int s = 0; for (int i = 0; i < n; i++) s ^= a[i]; return s; }
double fmax(double, double);
double v(int n, double *a) { double m = 0; for (int i = 0; i < n; i++) m = fmax(m, a[i]); return m; }
int w(int n, int *a) { int m = a[0], k = 0; for (int i = 0; i < n; i++) if (a[i] > m) { m = a[i]; k = i; } return k; }
