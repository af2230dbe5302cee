/* Local arrays that are private, and not. */
void f(int n, int *a) { int w[8]; for (int i = 0; i < n; i++) { for (int k = 0; k < 8; k++) w[k] = i; for (int k = 0; k < 8; k++) a[8 * i + k] = w[k]; } }
void g(int n, int *a) { int w[8]; for (int i = 0; i < n; i++) { for (int k = 0; k < 7; k++) w[k] = i; for (int k = 0; k < 8; k++) a[8 * i + k] = w[k]; } }
void h(int n, int m, int *a) { int w[8]; for (int i = 0; i < n; i++) { for (int k = 0; k < m; k++) w[k] = i; for (int k = 0; k < m; k++) a[i * m + k] = w[k]; } }
int k(int n, int *a) { int w[8]; for (int i = 0; i < n; i++) { for (int k = 0; k < 8; k++) w[k] = i; a[i] = w[0]; } return w[3]; }
void m(int n, int *a) { int w[8]; for (int i = 0; i < n; i++) { if (a[i]) for (int k = 0; k < 8; k++) w[k] = i; a[i] = w[0]; } }
void o(int n, int *a) { int w[8]; for (int i = 0; i < n; i++) { w[0] = i; a[i] = w[0]; } }
void p(int n, int *a) { int w[8], *q = w; for (int i = 0; i < n; i++) { w[0] = i; q[1] = w[0]; a[i] = w[1]; } }
void q(int n, int *a) { int w[8] = {0}; for (int i = 0; i < n; i++) { a[i] = w[i % 8]; w[i % 8] = i; } }
void r(int n, int *a) { for (int i = 0; i < n; i++) { int w[8] = {0}; w[i % 8] = i; a[i] = w[3]; } }
void s(int n, int *a) { int w[8]; for (int i = 0; i < n; i++) { if (a[i] == 3) continue; for (int k = 0; k < 8; k++) w[k] = i; a[i] = w[0]; } }
void t(int n, int *a) { int w[n]; for (int i = 0; i < n; i++) { w[0] = i; a[i] = w[0]; } }
