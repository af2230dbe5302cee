/* Inner loops with bounds that vary. */
void f(int n, int *len, int *a) { for (int i = 0; i < n; i++) for (int j = 0; j < len[i]; j++) a[i * n + j] = 0; }
void g(int n, int *off, int *a) { for (int i = 0; i < n; i++) for (int j = off[i]; j < off[i + 1]; j++) a[j] = 0; }
void h(int n, int *a) { for (int i = 0; i < n; i++) for (int j = 0; j <= i; j++) a[i * n + j] = 0; }
void k(int n, int *a) { for (int i = 0; i < n; i++) for (int j = 0; j <= i + 1; j++) a[i * n + j] = 0; }
void m(int n, int *a) { for (int i = 0; i < n; i++) { int j = 0; while (j < n) { a[i * n + j] = 0; j++; } } }
void o(int n, int b, int *a) { for (int i = 0; i < n; i += 4) for (int j = i; j < i + 4; j++) a[j] = 0; }
void p(int n, int b, int *a) { for (int i = 0; i < n; i += 4) for (int j = i; j < i + b; j++) a[j] = 0; }
void q(int n, int *a) { for (int i = 0; i < n; i += 4) for (int j = i; j < i + 5; j++) a[j] = 0; }
