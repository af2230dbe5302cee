/* a[i] and a[n-i]. */
void f(int n, int *a) { for (int i = 0; i < n; i++) a[i] = a[n - i]; }
void g(int n, int *a) { for (int i = 0; i < n; i++) a[n - i] = 0; }
void h(int n, int *a) { for (int i = 0; i < n; i++) a[i] = a[2 * n - i]; }
void k(int n, int *a) { for (int i = 0; i < n / 2; i++) a[i] = a[n - 1 - i]; }
