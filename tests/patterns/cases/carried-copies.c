/* Values carried from one iteration to the next in scalars. */
void f(int n, int *a, int *b) { int p = 0; for (int i = 0; i < n; i++) { a[i] = b[p]; p = i; } }
void g(int n, int *a) { int j = n; for (int i = 0; i < n; i++) { j--; a[j] = i; } }
void h(int n, int *a) { int t = a[0]; for (int i = 0; i < n; i++) { int u = a[i]; a[i] = t; t = u; } }
void k(int n, int *a) { int t = 0; for (int i = 0; i < n; i++) { if (a[i]) t = i; a[i] = t; } }
void m(int n, int *a) { int t; for (int i = 0; i < n; i++) { if (i % 2) t = 1; else t = 2; a[i] = t; } }
void o(int n, int *a) { int t = 0, f = 0; for (int i = 0; i < n; i++) { if (f) t = 1; f = 1; a[i] = t; } }
void p(int n, int *a) { int t; for (int i = 0; i < n; i++) { for (int j = 0; j < a[i]; j++) t = j; a[i] = t; } }
void q(int n, int *a) { int x = 1; unsigned char *c = (unsigned char *)&x; for (int i = 0; i < n; i++) { x = i; a[*c] = i; } }
void r(int n, int *a) { for (int i = 0; i < n; i++) { int x = i; unsigned char c = *(unsigned char *)&x; a[c] = 1; } }
