/* A sum that is also read is no reduction. */
void f(int n, int *a, int *b) { int s = 0; for (int i = 0; i < n; i++) { s += a[i]; b[i] = s; } }
void g(int n, int *a, int *b) { int s = 0; for (int i = 0; i < n; i++) b[i] = s += a[i]; }
int h(int n, int *a) { int s = 0; for (int i = 0; i < n; i++) { s += a[i]; s *= 2; } return s; }
int k(int n, int *a) { int s = 0; for (int i = 0; i < n; i++) s = a[i] - s; return s; }
int m(int n, int *a) { int s = 0; for (int i = 0; i < n; i++) s += s + a[i]; return s; }
int o(int n, double *a) { int s = 0; for (int i = 0; i < n; i++) s += a[i]; return s; }
int p(int n, int *a) { int s = 0; for (int i = 0; i < n; i++) s = s + a[i] * s; return s; }
int q(int n, int *a) { int s = 0; for (int i = 0; i < n; i++) if (s < 10) s += a[i]; return s; }
int r(int n, int *a) { int s = 0; for (int i = 0; i < n; i++) s += a[s]; return s; }
int t(int n, int *a) { int s = 0; for (int i = 0; i < n; i++) s = s / 2 + a[i]; return s; }
