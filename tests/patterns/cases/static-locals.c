/* Static locals are not private. */
void f(int n, int *a) { static int t; for (int i = 0; i < n; i++) { t = a[i]; a[i] = t + 1; } }
void g(int n, int *a) { for (int i = 0; i < n; i++) { static int t; t = a[i]; a[i] = t + 1; } }
int t; void h(int n, int *a) { for (int i = 0; i < n; i++) { t = a[i]; a[i] = t + 1; } }
