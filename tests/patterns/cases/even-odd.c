/* GCD test: even elements are never odd ones. */
void f(int n, int *a) { for (int i = 0; i < n; i++) a[2 * i] = a[2 * i + 1]; }
void g(int n, int *a) { for (int i = 0; i < n; i++) a[2 * i] = a[2 * i + 2]; }
void h(int n, int *a) { for (int i = 0; i < n; i += 2) a[i] = a[i + 1]; }
void k(int n, int *a) { for (int i = 0; i < n; i += 2) a[i] = a[i + 2]; }
void m(int n, int *a) { for (int i = 0; i < n; i++) a[2 * i] = a[4 * i + 1]; }
void o(int n, int *a) { for (int i = 0; i < n; i++) a[2 * i] = a[3 * i + 1]; }
void p(int n, int *a) { for (int i = 0; i < n; i += 3) { a[i] = 1; a[i + 1] = 2; a[i + 2] = 3; } }
void q(int n, int *a) { for (int i = 0; i < n; i += 3) { a[i] = 1; a[i + 3] = 2; } }
void r(int n, int *a) { for (int i = n; i > 0; i -= 2) a[i] = a[i - 1]; }
