/* Forms of loops. */
void f(long n, int *a) { for (long i = 0; i < n; i++) a[i] = 0; }
void g(int n, int *a) { int i; for (i = 0; n > i; ++i) a[i] = 0; }
void h(int n, int *a) { for (int i = n; i-- > 0;) a[i] = 0; }
void k(int n, int *a) { int i = 0; for (; i < n; i++) a[i] = 0; }
void m(int n, int *a) { for (int i = 0;; i++) { if (i >= n) break; a[i] = 0; } }
void o(int n, int *a) { for (int i = 0, j = n; i < n; i++, j--) a[i] = j; }
void p(int n, int *a) { for (int i = 0; i < n && a[i]; i++) a[i] = 0; }
void q(int n, int *a) { for (int i = 0; i != n; i++) a[i] = 0; }
void r(unsigned n, unsigned m, int *a) { for (unsigned i = m; i != n; i++) a[i] = 0; }
void s(int n, int *a) { for (int i = 0; i < n; i = i + 2) a[i] = 0; }
void t(int n, int *a) { for (int i = 1; i < n; i *= 2) a[i] = 0; }
void u(int n, int k, int *a) { for (int i = 0; i < n; i += k) a[i] = 0; }
void v(double n, int *a) { for (int i = 0; i < n; i++) a[i] = 0; }
void w(unsigned n, int *a) { for (int i = -2; i < n; i++) a[i] = 0; }
void x(unsigned n, int *a) { for (unsigned i = n; i > 0; i--) a[i] = 0; }
void y(unsigned n, int *a) { for (unsigned i = n; i >= 0; i--) a[i] = 0; }
void z(unsigned n, int *a) { for (unsigned i = n; i > 0; i -= 2) a[i] = 0; }
void b(int n, int *a) { for (short i = 0; i < n; i++) a[i] = 0; }
void c(int n, int *a) { do { a[n] = 0; } while (n--); }
void d(int n, int *a) { for (int i = 0; i + 1 < n; i++) a[i] = 0; }
void e(int n, int *a) { for (int i = 0; !(i >= n); i++) a[i] = 0; }
void aa(int n, int *a) { for (int i = 0; i < n; i++) { a[i] = 0; if (a[i]) goto out; } out:; }
void ab(int n, int *a) { for (int i = 0; i < n; i++) { switch (a[i]) { case 1: a[i] = 2; break; default: a[i] = 3; } } }
void ac(int n, int *a) { for (int i = 0; i < n; n--, i++) a[i] = 0; }
void ad(int n, int *a) { for (int i = 0; i < n; i++) { a[i] = 0; n = 5; } }
void ae(int n, int m, int k, int *a) { for (int i = 0; i != n - 1; i++) for (int j = n; j < i; j++) for (int l = 0; l <= k; l++) a[j * m + l + i] = 1; }
