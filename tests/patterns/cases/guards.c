/* What branches say. */
void f(int n, int *a) { for (int i = 0; i < n; i++) if (i < 5) a[i] = a[i + 5]; }
void g(int n, int *a) { for (int i = 0; i < n; i++) if (i == 3) a[0] = i; }
void h(int n, int k, int *a) { for (int i = 0; i < n; i++) { if (i < k) a[i] = 1; if (i >= k) a[i] = 2; } }
void k(int n, int *a) { for (int i = 0; i < n; i++) { if (i > 0) a[i - 1] = 0; else a[n] = 1; } }
void m(int n, unsigned k, int *a) { for (int i = 0; i < n; i++) if (i < k) a[i] = a[i + k]; }
void o(int n, int k, int *a) { for (int i = 0; i < n; i++) if (i < k) a[i] = a[i + k]; }
void p(int n, int *a) { int j = 0; for (int i = 0; i < n; i++) { for (j = 0; j < 3; j++) ; if (j > 3) a[0] = i; a[i + 1] = 0; } }
