/* Subscripts that are no lines. */
void f(int n, int *a) { for (int i = 0; i < n; i++) a[i * i] = 0; }
void g(int n, int *a) { for (int i = -3; i < n; i++) a[i * i] = 0; }
void h(int n, int k, int *a) { for (int i = 0; i < n; i++) a[i % k] = 0; }
void k(int n, int *a) { for (int i = 0; i < n; i++) a[i / 2] = 0; }
void m(int n, int *a) { for (int i = 0; i < n; i++) a[i & 7] = 0; }
void o(int n, int *a) { for (int i = 0; i < n; i++) a[i >> 1] = 0; }
void p(int n, int *a) { for (int i = 0; i < n; i++) a[i ^ 1] = 0; }
void q(int n, int *a) { for (int i = 0; i < n; i++) a[-i] = 0; }
void r(int n, int *a) { for (int i = 0; i < n; i++) a[i * (i + 1) / 2] = 0; }
void s(int n, int *a) { for (int i = 0; i < 32; i++) a[1 << i] = 0; }
