/* A pointer into the middle of the same array. */
void f(int n, int *a) { int *p = a + 1; for (int i = 0; i < n; i++) a[i] = p[i]; }
void g(int n, int *a) { int *p = a + n; for (int i = 0; i < n; i++) a[i] = p[i]; }
void h(int n, int k, int *a) { int *p = k ? a : a + 1; for (int i = 0; i < n; i++) a[i] = p[i]; }
