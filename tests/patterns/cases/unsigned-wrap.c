/* Subscripts that wrap around. */
typedef unsigned long size_t;
void f(unsigned n, unsigned k, int *a) { for (unsigned i = 0; i < n; i++) a[i - k] = a[i]; }
void g(unsigned n, int *a) { for (unsigned i = 0; i < n; i++) a[i * 2654435761u] = 1; }
void h(size_t n, size_t k, int *a) { for (size_t i = 0; i < n; i++) a[i] = a[i + k]; }
void m(unsigned n, int *a) { for (unsigned i = 1; i < n; i++) a[i - 1] = 0; }
void o(unsigned n, int *a) { for (unsigned i = 0; i < n - 1; i++) a[i] = 0; }
void q(int n, int *a) { for (int i = 0; i < n; i++) a[(unsigned char)i] = 0; }
void r(int n, int *a) { for (int i = 0; i < n; i++) a[(unsigned short)(i * 3)] = 0; }
void s(size_t n, size_t m, int *a) { for (size_t i = 0; i < n; i++) for (size_t j = 0; j < m; j++) a[i * m + j] = 0; }
void t(size_t n, int *a) { for (size_t i = 0; i < n; i++) a[i * 0x4000000000000000ul] = 1; }
void u(unsigned n, int *a) { for (unsigned i = 0; i < n; i++) a[(i << 31) + i] = 1; }
